import type { Asset, PageContext, SignInOption } from '@postern/core'
import { type Template, toTemplate } from './placeholders.ts'
import { renderView, type Setting } from './render.tsx'
import { passwordScript, type Script } from './script/script.ts'
import { type Stylesheet, stylesheetFor } from './styles/stylesheet.ts'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

/** More than the screens in the most common languages; beyond it, the oldest templates are evicted. */
const maxTemplates = 512

type Templates = Map<string, Template>

/** The cache of one site: its files, and rendered screens by language. */
export class Site {
  readonly #frame: PageContext
  readonly #stylesheet: Stylesheet
  readonly #script: Script | null
  readonly #numbers = new Map<Texts, number>()
  readonly #templates: Templates = new Map()
  readonly #signIn = new WeakMap<readonly SignInOption[], Templates>()

  constructor(context: PageContext, script: Script | null) {
    this.#frame = context
    this.#stylesheet = stylesheetFor(context.theme)
    this.#script = script
  }

  /**
   * @param view - With placeholders for the values of a request.
   * @returns The screen, rendered on first use.
   */
  template(view: View, texts: Texts): Template {
    const templates = this.#templatesFor(view)
    const shape = getShape(view, this.#numberOf(texts))
    const cached = templates.get(shape)
    if (cached) return cached
    const template = toTemplate(renderView(view, this.setting(texts)))
    const [oldest] = templates.size < maxTemplates ? [] : templates.keys()
    if (oldest !== undefined) templates.delete(oldest)
    templates.set(shape, template)
    return template
  }

  /** The context that pages of this site are rendered in. */
  setting(texts: Texts): Setting {
    const files = { stylesheet: this.#stylesheet.name, script: this.#script?.name ?? null }
    return { context: this.#frame, texts, files }
  }

  asset(name: string): Asset | null {
    const found = [this.#stylesheet, this.#script, this.#script && passwordScript].find((file) => file?.name === name)
    return found?.asset ?? null
  }

  #templatesFor(view: View): Templates {
    if (view.name !== 'signin') return this.#templates
    const cached = this.#signIn.get(view.choices)
    if (cached) return cached
    const templates: Templates = new Map()
    this.#signIn.set(view.choices, templates)
    return templates
  }

  #numberOf(texts: Texts): number {
    const cached = this.#numbers.get(texts)
    if (cached !== undefined) return cached
    const number = this.#numbers.size
    this.#numbers.set(texts, number)
    return number
  }
}

/**
 * The cache key of a view: its content and the language, without the choices, which are compared by identity.
 * Placeholders are the same for every request.
 */
function getShape(view: View, language: number): string {
  return JSON.stringify(view.name === 'signin' ? { ...view, choices: language } : { ...view, language })
}
