{%- extends "nbgrader/base.tpl" -%}

{%- block script -%}
{{ super() }}
<style>
  .page-header { margin: 0 0 12px; }
  .page-header h1 { margin: 12px 0 0; font-size: 24px; }
  .jupyter-logo { display: none; }
  .col-md-10 { overflow-x: auto; }
  .modal-body pre { white-space: pre-wrap; }
  .modal-body details { margin-top: 1em; }
</style>
<script>
{% include "everywhere.js" %}
</script>
{%- endblock -%}
