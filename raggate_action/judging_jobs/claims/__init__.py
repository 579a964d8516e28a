"""The claims job: whether chunks support what an answer claims."""
