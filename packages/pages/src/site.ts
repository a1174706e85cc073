import type { Asset, Choice, Frame } from '@postern/core'
import { type Template, toTemplate } from './holes.ts'
import { renderView } from './render.tsx'
import { type Stylesheet, stylesheetFor } from './styles/stylesheet.ts'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

/** More shapes than the screens have; what lies beyond is forgotten, oldest first. */
const mostTemplates = 256

type Templates = Map<string, Template>

/** What is kept for one site: its style sheet and the screens that were shown. */
export class Site {
  readonly #frame: Frame
  readonly #texts: Texts
  readonly #stylesheet: Stylesheet
  readonly #templates: Templates = new Map()
  readonly #signIn = new WeakMap<readonly Choice[], Templates>()

  constructor(frame: Frame, texts: Texts) {
    this.#frame = frame
    this.#texts = texts
    this.#stylesheet = stylesheetFor(frame.theme)
  }

  /**
   * @param view - With holes in place of a visitor's values.
   * @returns The screen, rendered at its first use.
   */
  template(view: View): Template {
    const templates = this.#templatesFor(view)
    const shape = shapeOf(view)
    const known = templates.get(shape)
    if (known) return known
    const template = toTemplate(renderView(view, this.#frame, this.#texts, this.#stylesheet.name))
    const [oldest] = templates.size < mostTemplates ? [] : templates.keys()
    if (oldest !== undefined) templates.delete(oldest)
    templates.set(shape, template)
    return template
  }

  asset(name: string): Asset | null {
    return name === this.#stylesheet.name ? this.#stylesheet.asset : null
  }

  #templatesFor(view: View): Templates {
    if (view.name !== 'signin') return this.#templates
    const known = this.#signIn.get(view.choices)
    if (known) return known
    const templates: Templates = new Map()
    this.#signIn.set(view.choices, templates)
    return templates
  }
}

/** Everything in a view but the choices, which are told apart by identity. Holes look alike for every visitor. */
function shapeOf(view: View): string {
  return JSON.stringify(view.name === 'signin' ? { ...view, choices: null } : view)
}
