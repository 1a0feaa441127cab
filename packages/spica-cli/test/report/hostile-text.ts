/** Text that ends elements, attributes, scripts and comments, and tries to run. */
export const HOSTILE: string = [
  '</script><script>window.hacked=1</script>',
  '"><img src=x onerror="window.hacked=1">',
  "'><svg onload='window.hacked=1'>",
  '<!--<script>',
  '-->]]>',
  '</title></style></textarea>',
  'javascript:window.hacked=1',
  '&lt;b&gt;&#0;',
  '{{constructor.constructor("window.hacked=1")()}}',
  '`$' + '{window.hacked=1}`',
  '\u2028\u2029\u0000\ud800\u202e',
].join('')
