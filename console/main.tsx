/** Entry of the console. */
import { render } from 'preact'
import { App } from './app/app.tsx'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/faces.css'
import './styles/first-visit.css'
import './styles/galleries.css'
import './styles/persons.css'
import './styles/events.css'
import './styles/cameras.css'
import './styles/alerts.css'
import './styles/operator.css'

render(<App />, document.getElementById('console')!)
