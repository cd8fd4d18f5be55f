// The button for the whole class: it begins, says how far it is, and ends with a summary.
{
  const address = `${base_url}/formgrader/api/assignment/${assignment_id}/grade`;
  const button = $("#grade-class");

  const link = (about) =>
    about.report
      ? $("<a/>").attr("href", about.report).text("Open the report").on("click", (event) => {
          event.preventDefault();
          openOutside(about.report);
        })
      : "";

  const summary = (about) => {
    const body = $("<div/>");
    about.summary.split("\n").forEach((line) => body.append($("<p/>").text(line)));
    if (about.problems) {
      body.append($("<p/>").append($("<b/>").text("Worth a look:")), $("<pre/>").text(about.problems));
    }
    const title = about.success ? "The class is graded" : "Not everything could be graded";
    const modal = createModal("summary-modal", title, body.append($("<p/>").append(link(about))));
    modal.on("hidden.bs.modal", () => window.location.reload());
  };

  const failed = (response) => {
    button.prop("disabled", false);
    $("#grading").text("");
    createModal("error-modal", "Error", `The server did not answer (${response.status}); is JupyterLab still running?`);
  };

  const look = (began) => {
    $.getJSON(address).done((about) => {
      if (about.running) {
        $("#grading").text(about.pace ? `Grading: ${about.pace}.` : "Grading …");
        button.prop("disabled", true);
        window.setTimeout(() => look(true), 1000);
      } else if (began) {
        $("#grading").text("");
        summary(about);
      } else {
        $("#report").empty().append(link(about));
      }
    }).fail(failed);
  };

  button.on("click", () => {
    button.prop("disabled", true);
    $("#grading").text("Grading …");
    $("#report").empty();
    $.post(address).done(() => look(true)).fail(failed);
  });
  look(false);
}
