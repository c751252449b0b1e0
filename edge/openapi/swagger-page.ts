/** The interactive page of a version: Swagger UI, served by the worker, with a policy that allows only this origin. */
import type { Version } from '../../contract/operations/operation.ts'
import type { Text } from '../http/compressed.ts'
import { pageHeaders } from '../http/page-headers.ts'

/** Files of the npm package swagger-ui-dist. */
export type SwaggerUi = Record<'script' | 'style', Text>

interface PageFile {
  type: string
  content: Text
}

/** The page and its resources, by file name. */
export const pageFiles = (version: Version, { script, style }: SwaggerUi): Map<string, PageFile> =>
  new Map([
    ['overview.html', { type: 'text/html', content: html(version) }],
    ['overview.css', { type: 'text/css', content: STYLE }],
    ['overview.js', { type: 'text/javascript', content: START }],
    ['swagger-ui-bundle.js', { type: 'text/javascript', content: script }],
    ['swagger-ui.css', { type: 'text/css', content: style }],
  ])

/** All resources have the origin of the page. Swagger UI's style sheet contains its icons as data URLs. */
export const PAGE_HEADERS = {
  ...pageHeaders("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"),
  'cache-control': 'public, max-age=3600',
}

/** The path `../v0` leads from `docs/v0/overview.html` to the document. */
const html = (version: Version) => `<!doctype html>
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
 * Starts Swagger UI without its online validator. The page keeps the token until the tab is closed. By default Swagger UI fills
 * optional form fields with sample values and ticks "Send empty value" for fields without one. The plugin gives these fields
 * empty examples and leaves the box unticked: Swagger UI then omits empty fields.
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
