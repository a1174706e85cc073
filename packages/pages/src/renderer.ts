import type { LanguagePreference, SignInMail } from '@postern/core'
import {
  type Asset,
  ConfigError,
  type Page,
  type PageContext,
  type RenderedMail,
  type Renderer,
  serializeError
} from '@postern/core'
import { extractValues } from './extract-values.ts'
import { FeatureScreens, getFeatureTexts, splitScreens } from './feature-screens.tsx'
import { renderFeatureMail, renderMail } from './mail/render-mail.tsx'
import { checkRendererOptions, type RendererOptions } from './options.ts'
import { fill } from './placeholders.ts'
import { renderOwn, renderView, type Setting } from './render.tsx'
import type { Screens } from './screens/screens.tsx'
import { script, scripted } from './script/script.ts'
import { Site } from './site.ts'
import { type Catalogue, english, everyLanguage, loadCatalogue } from './texts/catalogue.ts'
import { hasOwnMakers } from './texts/overrides.ts'
import { getView, mentionsValues, type View } from './view.ts'

/** Renders screens and mails. Without a language preference they are in the first language. */
export interface PagesRenderer extends Required<Renderer> {
  page(page: Page, context: PageContext, preference?: LanguagePreference): string
  mail(mail: SignInMail, context: PageContext, preference?: LanguagePreference): RenderedMail
}

interface Parts {
  readonly catalogue: Catalogue
  readonly screens: Screens
  readonly hasScript: boolean
  readonly logger: NonNullable<RendererOptions['logger']>
}

const consoleLogger: Parts['logger'] = { error: (code, metadata) => console.error(code, metadata) }

function rendererWith({ catalogue, screens: own, hasScript, logger }: Parts): PagesRenderer {
  const { screens, featureScreens: ownFeatureScreens } = splitScreens(own)
  const sites = new WeakMap<PageContext, Site>()
  const getSite = (context: PageContext): Site => {
    const cached = sites.get(context)
    if (cached) return cached
    const site = new Site(context, hasScript ? script : null)
    sites.set(context, site)
    return site
  }
  const renderOwnScreen = (view: View, setting: Setting): string | null => {
    try {
      return renderOwn(view, setting, screens)
    } catch (error) {
      logger.error('SCREEN_ERROR', { screen: view.name, ...serializeError(error) })
      return null
    }
  }
  const features = new FeatureScreens(ownFeatureScreens, logger)
  const hasOwn = Object.values(screens).some((screen) => screen !== undefined)
  return {
    page: (page, context, preference) => {
      const texts = catalogue.for(preference)
      const site = getSite(context)
      if (page.name === 'feature') return features.render(page, site.setting(texts))
      const view = getView(page, texts)
      const drawn = hasOwn ? renderOwnScreen(view, site.setting(texts)) : null
      if (drawn !== null) return drawn
      if (hasOwnMakers(texts) && mentionsValues(view)) return renderView(view, site.setting(texts))
      const outline = extractValues(view)
      return fill(site.template(outline.view, texts), outline.values)
    },
    mail: (mail, context, preference) => renderMail(mail, context, catalogue.for(preference)),
    featureMail: (mail, context, preference) => renderFeatureMail(mail, context, catalogue.for(preference)),
    featureTexts: (texts, preference) => getFeatureTexts(texts, catalogue.for(preference)),
    prepare: (preference, page) => {
      const language =
        catalogue
          .prepare(preference)
          ?.catch((error: unknown) => logger.error('LANGUAGE_ERROR', { ...serializeError(error) })) ?? null
      const component = page?.name === 'feature' ? features.prepare(page.screen) : null
      return language && component ? Promise.all([language, component]).then(() => undefined) : (language ?? component)
    },
    asset: (name: string, context: PageContext): Asset | null => getSite(context).asset(name),
    scripted: hasScript ? scripted : new Set()
  }
}

/**
 * Creates a renderer: validates the options, and loads the languages.
 *
 * React renders a screen once per site, language and shape; after that the cached HTML is filled with the escaped
 * values of a request. Screens of the application receive the values directly, and are not cached.
 *
 * @throws ConfigError every configuration error at once, with a fix for each.
 */
export async function createRenderer(options: RendererOptions = {}): Promise<PagesRenderer> {
  const problems = checkRendererOptions(options)
  if (problems.length > 0) throw new ConfigError(problems)
  const { screens = {}, script: hasScript = false, logger = consoleLogger } = options
  return rendererWith({ catalogue: await loadCatalogue(options), screens, hasScript, logger })
}

/** Creates the renderer with default options: every built-in language, each loaded on first use. */
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
