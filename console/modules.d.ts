/** Types of bundled imports: style sheets. */
declare module '*.css'
