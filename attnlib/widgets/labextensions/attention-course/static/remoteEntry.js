// JupyterLab's way in, written by hand as it would be by a bundler: a container whose parts are asked for by name.
//
// A saved explorer is its name and its data, nothing that runs; what runs comes from the installed course. So it lives
// in a notebook that was just opened, trusted or not, with or without a kernel.
(() => {
  const here = document.currentScript.src;
  const MIME = "application/vnd.attention-course.explorer+json";
  const PROGRESS = "application/vnd.attention-course.progress+json";
  let shared = null; // what JupyterLab shares with its extensions
  let app = null;

  const library = async (name) => (await Object.values(shared[name])[0].get())();

  // The notebook that holds this node.
  const holder = (node) => [...(app?.shell.widgets("main") ?? [])].find((widget) => widget.node.contains(node));

  // Asks the kernel of the notebook that holds this node; what it answers is JSON.
  async function ask(node, key, question) {
    const kernel = holder(node)?.sessionContext?.session?.kernel;
    if (!kernel || !/^[0-9a-f]{16}$/.test(key)) throw new Error("no kernel");
    // Twice: once the question as JSON, once that text as a literal that Python reads as well.
    const code = `__import__("attnlib.widgets", fromlist=["answer"]).answer("${key}", ${JSON.stringify(JSON.stringify(question))})`;
    const future = kernel.requestExecute({ code: "", silent: true, store_history: false, user_expressions: { answer: code } });
    const reply = (await future.done).content.user_expressions?.answer;
    if (reply?.status !== "ok") throw new Error(reply?.evalue || "the kernel did not answer");
    return JSON.parse(reply.data["application/json"].answer);
  }

  async function explorers() {
    const { Widget } = await library("@lumino/widgets");
    const core = await import(new URL("core.js", here));
    class Rendered extends Widget {
      async renderModel(model) {
        const { name, data, key } = model.data[MIME];
        this.addClass("attnlib-explorer");
        if (!/^[a-z_]+$/.test(name)) throw new Error("not an explorer of this course");
        const { default: explorer } = await import(new URL(`${name}.js`, here));
        core.mount(this.node, explorer, data, key ? (question) => ask(this.node, key, question) : null);
      }
    }
    return {
      id: "attention-course:explorer",
      rendererFactory: { safe: true, mimeTypes: [MIME], createRenderer: () => new Rendered() },
      rank: 0,
      dataType: "json",
    };
  }

  // What the pictures of progress ask of JupyterLab. Paths are relative to the notebook that holds them.
  function reach(node) {
    const { contents, serverSettings } = app.serviceManager;
    return {
      path: (relative) => {
        // An output that was moved to a window of its own has no notebook around it.
        const steps = (holder(node)?.context?.path ?? "0-start-here/").split("/").slice(0, -1);
        for (const step of relative.split("/")) {
          if (step === "..") steps.pop();
          else if (step !== ".") steps.push(step);
        }
        return steps.join("/");
      },
      address: (path) => `${serverSettings.baseUrl}lab/tree/${path.split("/").map(encodeURIComponent).join("/")}`,
      open: (path) => app.commands.execute("docmanager:open", { path }),
      read: async (path) => (await contents.get(path, { type: "file", format: "text", content: true })).content,
    };
  }

  async function progress() {
    const { Widget } = await library("@lumino/widgets");
    const { mount, CSS } = await import(new URL("progress.js", here));
    const style = document.createElement("style");
    style.textContent = CSS;
    document.head.append(style);
    class Current extends Widget {
      async renderModel(model) {
        this.end?.();
        this.end = mount(this.node, model.data[PROGRESS], String(model.data["text/html"] ?? ""), reach(this.node));
      }
      dispose() {
        this.end?.();
        super.dispose();
      }
    }
    return {
      id: "attention-course:progress",
      rendererFactory: { safe: true, mimeTypes: [PROGRESS], createRenderer: () => new Current() },
      rank: 0,
      dataType: "json",
    };
  }

  // Pictures follow the theme (each has a dark form, which it takes where its page says that it is dark), and a click
  // or the Enter key shows one as large as the window.
  function pictures() {
    const style = document.createElement("style");
    style.textContent = `
      img.attnlib-picture { color-scheme: light; cursor: zoom-in; }
      [data-jp-theme-light="false"] img.attnlib-picture { color-scheme: dark; }
      .jp-OutputArea-child:has(.attnlib-points) { display: none; } /* a check has said its points already */
      dialog.attnlib-enlarged { width: 96vw; max-width: none; height: 94vh; max-height: none; padding: 8px; overflow: auto; }
      dialog.attnlib-enlarged img { width: 100%; min-width: 900px; cursor: zoom-out; }
    `;
    document.head.append(style);
    const enlarge = (event) => {
      const picture = event.target.closest?.("img.attnlib-picture");
      if (!picture || picture.closest("dialog") || (event.type === "keydown" && event.key !== "Enter")) return;
      event.stopPropagation();
      event.preventDefault();
      const dialog = document.createElement("dialog");
      dialog.className = "attnlib-enlarged";
      dialog.setAttribute("aria-label", "the picture, enlarged");
      dialog.style.background = getComputedStyle(document.body).getPropertyValue("--jp-layout-color0");
      const large = picture.cloneNode();
      large.removeAttribute("style");
      const close = document.createElement("button");
      close.textContent = "Close";
      dialog.append(close, large);
      for (const one of [close, large]) one.addEventListener("click", () => dialog.close());
      dialog.addEventListener("close", () => {
        dialog.remove();
        picture.focus();
      });
      document.body.append(dialog);
      dialog.showModal();
    };
    document.addEventListener("click", enlarge);
    document.addEventListener("keydown", enlarge, true); // before the notebook takes the key
  }

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["attention-course"] = {
    init: (scope) => {
      shared = scope;
    },
    get: async (part) => {
      if (part === "./explorer") {
        const extensions = [await explorers(), await progress()];
        return () => ({ __esModule: true, default: extensions });
      }
      const plugin = {
        id: "attention-course:app",
        autoStart: true,
        activate: (running) => {
          app = running;
          pictures();
        },
      };
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
