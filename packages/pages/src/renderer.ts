import type { SignInMail, Wish } from '@postern/core'
import {
  type Asset,
  ConfigError,
  describe,
  type Frame,
  type Page,
  type RenderedMail,
  type Renderer
} from '@postern/core'
import { fill } from './placeholders.ts'
import { renderMail } from './mail/render-mail.tsx'
import { checkRendererOptions, type RendererOptions } from './options.ts'
import { outlineOf } from './outline.ts'
import { renderOwn, renderView, type Setting } from './render.tsx'
import type { Screens } from './screens/screens.tsx'
import { script, scripted } from './script/script.ts'
import { Site } from './site.ts'
import { type Catalogue, english, everyLanguage, loadCatalogue } from './texts/catalogue.ts'
import { hasOwnMakers } from './texts/overrides.ts'
import { saysValues, type View, viewOf } from './view.ts'

/** Screens and mails as text. Without a wish they are in the first language. */
export interface PagesRenderer extends Required<Renderer> {
  page(page: Page, frame: Frame, wish?: Wish): string
  mail(mail: SignInMail, frame: Frame, wish?: Wish): RenderedMail
}

interface Parts {
  readonly catalogue: Catalogue
  readonly screens: Screens
  readonly hasScript: boolean
  readonly logger: NonNullable<RendererOptions['logger']>
}

const consoleLogger: Parts['logger'] = { error: (code, metadata) => console.error(code, metadata) }

function rendererWith({ catalogue, screens, hasScript, logger }: Parts): PagesRenderer {
  const sites = new WeakMap<Frame, Site>()
  const siteOf = (frame: Frame): Site => {
    const known = sites.get(frame)
    if (known) return known
    const site = new Site(frame, hasScript ? script : null)
    sites.set(frame, site)
    return site
  }
  const own = (view: View, setting: Setting): string | null => {
    try {
      return renderOwn(view, setting, screens)
    } catch (error) {
      logger.error('SCREEN_ERROR', { screen: view.name, ...describe(error) })
      return null
    }
  }
  const hasOwn = Object.values(screens).some((screen) => screen !== undefined)
  return {
    page: (page, frame, wish) => {
      const texts = catalogue.for(wish)
      const site = siteOf(frame)
      const view = viewOf(page, texts)
      const drawn = hasOwn ? own(view, site.setting(texts)) : null
      if (drawn !== null) return drawn
      if (hasOwnMakers(texts) && saysValues(view)) return renderView(view, site.setting(texts))
      const outline = outlineOf(view)
      return fill(site.template(outline.view, texts), outline.values)
    },
    mail: (mail, frame, wish) => renderMail(mail, frame, catalogue.for(wish)),
    prepare: (wish) =>
      catalogue.prepare(wish)?.catch((error: unknown) => logger.error('LANGUAGE_ERROR', { ...describe(error) })) ??
      null,
    asset: (name: string, frame: Frame): Asset | null => siteOf(frame).asset(name),
    scripted: hasScript ? scripted : new Set()
  }
}

/**
 * Makes a renderer: checks the options, and loads the languages.
 *
 * A screen is rendered by React once for each site, language and shape; after that a page is the kept text with a
 * visitor's values filled in, escaped. Screens of the application are given the values themselves, and not kept.
 *
 * @throws ConfigError every mistake at once, each with its mend.
 */
export async function createRenderer(options: RendererOptions = {}): Promise<PagesRenderer> {
  const problems = checkRendererOptions(options)
  if (problems.length > 0) throw new ConfigError(problems)
  const { screens = {}, script: hasScript = false, logger = consoleLogger } = options
  return rendererWith({ catalogue: await loadCatalogue(options), screens, hasScript, logger })
}

/** Makes the renderer that no options make: every built-in language, loaded when a visitor first wishes for it. */
export function createPlainRenderer(logger: Parts['logger'] = consoleLogger): PagesRenderer {
  return rendererWith({ catalogue: everyLanguage(), screens: {}, hasScript: false, logger })
}

/** The built-in screens and mails in English. */
export const renderer: PagesRenderer = rendererWith({
  catalogue: english,
  screens: {},
  hasScript: false,
  logger: consoleLogger
})
