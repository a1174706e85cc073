import type { Asset, Choice, Frame } from '@postern/core'
import { type Template, toTemplate } from './holes.ts'
import { renderView, type Setting } from './render.tsx'
import type { Script } from './script/script.ts'
import { type Stylesheet, stylesheetFor } from './styles/stylesheet.ts'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

/** More shapes than the screens have in one language; what lies beyond is forgotten, oldest first. */
const mostTemplates = 256

type Templates = Map<string, Template>
type Shelves = Map<Texts, Templates>

/** What is kept for one site: its files, and the screens that were shown, by language. */
export class Site {
  readonly #frame: Frame
  readonly #stylesheet: Stylesheet
  readonly #script: Script | null
  readonly #shelves: Shelves = new Map()
  readonly #signIn = new WeakMap<readonly Choice[], Shelves>()

  constructor(frame: Frame, script: Script | null) {
    this.#frame = frame
    this.#stylesheet = stylesheetFor(frame.theme)
    this.#script = script
  }

  /**
   * @param view - With holes in place of a visitor's values.
   * @returns The screen, rendered at its first use.
   */
  template(view: View, texts: Texts): Template {
    const templates = this.#templatesFor(view, texts)
    const shape = shapeOf(view)
    const known = templates.get(shape)
    if (known) return known
    const template = toTemplate(renderView(view, this.setting(texts)))
    const [oldest] = templates.size < mostTemplates ? [] : templates.keys()
    if (oldest !== undefined) templates.delete(oldest)
    templates.set(shape, template)
    return template
  }

  /** What pages of this site are rendered with. */
  setting(texts: Texts): Setting {
    const files = { stylesheet: this.#stylesheet.name, script: this.#script?.name ?? null }
    return { frame: this.#frame, texts, files }
  }

  asset(name: string): Asset | null {
    const found = [this.#stylesheet, this.#script].find((file) => file?.name === name)
    return found?.asset ?? null
  }

  #templatesFor(view: View, texts: Texts): Templates {
    const shelves = view.name === 'signin' ? this.#shelvesFor(view.choices) : this.#shelves
    const known = shelves.get(texts)
    if (known) return known
    const templates: Templates = new Map()
    shelves.set(texts, templates)
    return templates
  }

  #shelvesFor(choices: readonly Choice[]): Shelves {
    const known = this.#signIn.get(choices)
    if (known) return known
    const shelves: Shelves = new Map()
    this.#signIn.set(choices, shelves)
    return shelves
  }
}

/** Everything in a view but the choices, which are told apart by identity. Holes look alike for every visitor. */
function shapeOf(view: View): string {
  return JSON.stringify(view.name === 'signin' ? { ...view, choices: null } : view)
}
