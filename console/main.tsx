/** Entry of the console. */
import { render } from 'preact'
import { App } from './app/app.tsx'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/tables.css'
import './styles/photos.css'
import './styles/faces.css'
import './styles/pages.css'

render(<App />, document.getElementById('console')!)
