set(SOURCES
  cell_text.cc
  clean.cc
  table.cc
  table_html.cc
  table_json.cc
  table_markdown.cc)
