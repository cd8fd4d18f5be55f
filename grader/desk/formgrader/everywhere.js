// On each of formgrader's pages. nbgrader's own names for what is not known, "None, None" and "None", are made readable:
// a student without a name goes by the id.
$(document).on("ajaxComplete", () => {
  const table = $("#main-table");
  table.find(".student-name, .name").each((_, cell) => {
    const order = $(cell).attr("data-order") ?? "";
    const known = order.split(", ").filter((name) => name && name !== "None").join(", ");
    if (!order.includes("None") || !order.includes(", ")) return;
    const name = known || $(cell).closest("tr").find(".student-id, .id").first().text();
    $(cell).attr("data-order", name).find("a").addBack().last().text(name);
  });
  table.find("td").filter((_, cell) => $(cell).text() === "None").text("–");
  const whole = table.parent();
  if ($.fn.DataTable.isDataTable(whole)) whole.DataTable().rows().invalidate("dom");
});

// A frame of JupyterLab may not open a window; JupyterLab itself may.
const openOutside = (href) => {
  const link = window.parent.document.createElement("a");
  Object.assign(link, { href, target: "_blank" }).click();
};

// A dialog says in a sentence what came of it; the log is there for whoever wants it.
const folded = (words, text) =>
  $("<details/>").append($("<summary/>").text(words), $("<pre/>").text(text));

window.createLogModal = (id, title, message, log, error) => {
  const body = $("<div/>").append($("<p/>").text(message));
  const lines = (log ?? "").split("\n").filter((line) => line.trim());
  // What nbgrader logs, as far as it went wrong; what the course says, whole.
  const isLog = lines.some((line) => /^\[[A-Z]+\] /.test(line));
  const worth = isLog ? lines.filter((line) => /^\[(ERROR|CRITICAL)\] /.test(line)) : lines;
  worth.forEach((line) => body.append($("<p/>").text(line.replace(/^\[[A-Z]+\] /, ""))));
  if (isLog) body.append(folded("Log", log));
  if (error) body.append(folded("Traceback", error));
  return createModal(id, title, body);
};
