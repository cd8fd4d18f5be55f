{%- extends "nbgrader/manage_submissions.tpl" -%}

{# In place of nbgrader's advice to grade a class in a terminal. #}
{%- block messages -%}
<p>
  <button type="button" class="btn btn-primary" id="grade-class">Grade the whole class</button>
  <span id="grading" role="status"></span>
  <span id="report"></span>
</p>
<p>
  This does what <code>python -m grader grade {{ assignment_id|e }}</code> does, for everybody below: repairs, the sandbox,
  and a judge outside it. Marks that you gave by hand stay. A flash in a row grades that student alone.
</p>
{%- endblock -%}

{%- block script -%}
{{ super() }}
<script>
{% include "grade_class.js" %}
</script>
{%- endblock -%}
