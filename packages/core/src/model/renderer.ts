import type { ByLanguage } from './feature-page.ts'
import type { Page, PageContext } from './page.ts'

/** The mail with the sign-in link. */
export interface SignInMail {
  readonly identifier: string
  /** The link, or `null` if only the code is sent. */
  readonly url: string | null
  /** The code, which consists of letters, or `null` if only the link is sent. */
  readonly code: string | null
  /** The lifetime of the link and the code in seconds. */
  readonly maxAge: number
  readonly requestedAt: Date
  /** The browser that requested it, such as `Firefox (Linux)`; `null` if it is unknown. */
  readonly browser: string | null
}

/** A mail of a feature in one language. */
export interface FeatureMailContent {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The paragraph that is a code to copy. @defaultValue none is */
  readonly code?: string | null | undefined
  readonly button: { readonly label: string; readonly url: string } | null
}

/** A mail as rendered by {@link Renderer}. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A file that the screens load from `<basePath>/assets/<name>`; its name changes with its content. */
export interface Asset {
  readonly contentType: string
  readonly body: string
}

/** The user's language preference. */
export interface LanguagePreference {
  /**
   * BCP 47 tags, most preferred first: the application's cookie, then `Accept-Language`. Equal preferences share one
   * array, so renderers may use it as a cache key.
   */
  readonly languages: readonly string[]
}

/** Renders screens and mails. `@postern/pages` is one implementation; without a renderer, plain HTML is sent. */
export interface Renderer {
  page(page: Page, context: PageContext, preference: LanguagePreference): string
  mail(mail: SignInMail, context: PageContext, preference: LanguagePreference): RenderedMail
  /** A mail of a feature. @defaultValue plain HTML in English */
  featureMail?(mail: ByLanguage<FeatureMailContent>, context: PageContext, preference: LanguagePreference): RenderedMail
  /** The texts of a feature in one language, for clients that get its screens as JSON. @defaultValue in English */
  featureTexts?(
    texts: ByLanguage<Readonly<Record<string, string>>>,
    preference: LanguagePreference
  ): Readonly<Record<string, string>>
  /**
   * Loads what `page` and `mail` need for a language, and the component of a feature's screen, before they are called;
   * returns `null` if everything is loaded.
   */
  prepare?(preference: LanguagePreference, page?: Page): Promise<void> | null
  /**
   * The screens that load a script from `<basePath>/assets/`; the policy of all others allows none. @defaultValue none
   */
  readonly scripted?: ReadonlySet<Page['name']>
  /** @returns The file with that name, or `null` if there is none. */
  asset?(name: string, context: PageContext): Asset | null
}
