/** The interactive page of a version: Swagger UI, out of the worker itself, allowed to load from and talk to it alone. */
import type { Version } from '../operations/route.ts'
import { pageHeaders } from './page-headers.ts'

/** Files of the npm package swagger-ui-dist. */
export interface SwaggerUi {
  script: ArrayBuffer
  style: ArrayBuffer
}

interface PageFile {
  type: string
  content: string | ArrayBuffer
}

/** The page and what it loads, by their names beside it. */
export const pageFiles = (version: Version, { script, style }: SwaggerUi): Map<string, PageFile> =>
  new Map([
    ['overview.html', { type: 'text/html', content: html(version) }],
    ['overview.css', { type: 'text/css', content: STYLE }],
    ['overview.js', { type: 'text/javascript', content: START }],
    ['swagger-ui-bundle.js', { type: 'text/javascript', content: script }],
    ['swagger-ui.css', { type: 'text/css', content: style }],
  ])

/** Everything is loaded from beside the page. Swagger UI's style sheet holds its icons as data. */
export const PAGE_HEADERS = {
  ...pageHeaders("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"),
  'cache-control': 'public, max-age=3600',
}

/** `../v0` is the document, seen from `docs/v0/overview.html`. */
const html = (version: Version): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mien ${version}</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="stylesheet" href="overview.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="overview" data-document="../${version}"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="overview.js"></script>
  </body>
</html>
`

const STYLE = 'body { margin: 0 }\n'

/**
 * The token is kept until the tab is closed, and Swagger's validator on the net is not asked. Swagger UI fills the optional
 * fields of a form with sample values and ticks "Send empty value" beside those that have none. The plugin gives them empty
 * examples and leaves the box unticked: an empty field is not sent.
 */
const START = `const overview = document.getElementById('overview')

function leaveOptionalFieldsEmpty(content) {
  for (const [type, { schema }] of Object.entries(content)) {
    if (type !== 'multipart/form-data' && type !== 'application/x-www-form-urlencoded') continue
    for (const [name, field] of Object.entries(schema.properties))
      if (!schema.required.includes(name) && !('default' in field))
        field.examples = field.type === 'array' ? [[]] : ['']
  }
}

const emptyForms = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: update => description => {
          for (const path of Object.values(description.paths ?? {}))
            for (const { requestBody } of Object.values(path))
              if (requestBody) leaveOptionalFieldsEmpty(requestBody.content)
          return update(description)
        },
      },
    },
  },
  wrapComponents: {
    ParameterIncludeEmpty: (Original, { React }) => props => {
      const isIncludedOptions = { ...props.isIncludedOptions, defaultValue: false }
      return React.createElement(Original, { ...props, isIncludedOptions })
    },
  },
})

SwaggerUIBundle({
  domNode: overview,
  url: overview.dataset.document,
  plugins: [emptyForms],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  validatorUrl: null,
})
`
