import type { Asset, Choice, Frame } from '@postern/core'
import { type Template, toTemplate } from './placeholders.ts'
import { renderView, type Setting } from './render.tsx'
import type { Script } from './script/script.ts'
import { type Stylesheet, stylesheetFor } from './styles/stylesheet.ts'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

/** More than the screens have in the languages that most visitors read; what lies beyond is forgotten, oldest first. */
const mostTemplates = 512

type Templates = Map<string, Template>

/** What is kept for one site: its files, and the screens that were shown, by language. */
export class Site {
  readonly #frame: Frame
  readonly #stylesheet: Stylesheet
  readonly #script: Script | null
  readonly #numbers = new Map<Texts, number>()
  readonly #templates: Templates = new Map()
  readonly #signIn = new WeakMap<readonly Choice[], Templates>()

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
    const templates = this.#templatesFor(view)
    const shape = shapeOf(view, this.#numberOf(texts))
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

  #templatesFor(view: View): Templates {
    if (view.name !== 'signin') return this.#templates
    const known = this.#signIn.get(view.choices)
    if (known) return known
    const templates: Templates = new Map()
    this.#signIn.set(view.choices, templates)
    return templates
  }

  #numberOf(texts: Texts): number {
    const known = this.#numbers.get(texts)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(texts, number)
    return number
  }
}

/**
 * Everything in a view but the choices, which are told apart by identity, and the language. Holes look alike for every
 * visitor.
 */
function shapeOf(view: View, language: number): string {
  return JSON.stringify(view.name === 'signin' ? { ...view, choices: language } : { ...view, language })
}
