/** Texts that would execute a script if a page took them for HTML, JavaScript, CSS or an address. */

const MARK = 'window.executed=1'

const ELEMENTS = [
  ['script', '', MARK],
  ['SCRIPT', ' src=data:text/javascript,MARK', ''],
  ['img', ' src=x onerror=MARK', ''],
  ['img', ' src=x onerror="MARK"', ''],
  ["img'", ' src=x onerror=MARK', ''],
  ['svg', ' onload=MARK', ''],
  ['svg/onload=MARK', '', ''],
  ['svg', '', '<script>MARK</script>'],
  ['svg', '', '<animate onbegin=MARK attributeName=x dur=1s>'],
  ['math', '', '<mtext><img src=x onerror=MARK>'],
  ['body', ' onload=MARK', ''],
  ['iframe', ' srcdoc="<script>parent.MARK</script>"', ''],
  ['iframe', ' src=javascript:MARK', ''],
  ['object', ' data=javascript:MARK', ''],
  ['embed', ' src=javascript:MARK', ''],
  ['a', ' href=javascript:MARK', 'click'],
  ['form', ' action=javascript:MARK', '<input type=submit>'],
  ['button', ' formaction=javascript:MARK', 'click'],
  ['input', ' autofocus onfocus=MARK', ''],
  ['video', ' onerror=MARK', '<source>'],
  ['audio', ' src=x onerror=MARK', ''],
  ['details', ' open ontoggle=MARK', 'text'],
  ['marquee', ' onstart=MARK', ''],
  ['style', '', '@import "javascript:MARK"'],
  ['style', ' onload=MARK', ''],
  ['link', ' rel=stylesheet href=javascript:MARK', ''],
  ['meta', ' http-equiv=refresh content="0;javascript:MARK"', ''],
  ['base', ' href=javascript:MARK//', ''],
  ['template', '', '<img src=x onerror=MARK>'],
  ['noscript', '', '</noscript><img src=x onerror=MARK>'],
] as const

/** Ways out of the place in which a text stands. */
const ESCAPES = ['', '">', "'>", '</p></li></ul>', '-->', ']]>', '</title></style></textarea>']

const OTHERS = [
  `javascript:${MARK}`,
  `JaVaScRiPt:${MARK}`,
  `data:text/html,<script>${MARK}</script>`,
  `" onmouseover="${MARK}`,
  `' autofocus onfocus='${MARK}`,
  `\${${MARK}}`,
  `{{constructor.constructor('${MARK}')()}}`,
  `'-${MARK}-'`,
  `\\';${MARK}//`,
  `</script><script>${MARK}</script>`,
  `&lt;script&gt;${MARK}&lt;/script&gt;`,
  `\u003cimg src=x onerror=${MARK}\u003e`,
  '__proto__',
  'constructor',
  `{"__html":"<img src=x onerror=${MARK}>"}`,
  '\u202egpj.exe',
]

/** At least 100 texts, each unlike the others. */
export const CORPUS: readonly string[] = [
  ...ELEMENTS.flatMap(([name, attributes, content], i) =>
    [0, 1, 2].map(step => {
      const before = ESCAPES[(i + step * 2) % ESCAPES.length]
      return `${before}<${name}${attributes}>${content}</${name}>`.replaceAll('MARK', MARK)
    }),
  ),
  ...OTHERS,
]
