/** A value in each language, by BCP 47 tag. English replaces the languages that are missing. */
export interface ByLanguage<T> {
  readonly en: T
  readonly [language: string]: T
}

/** The explanation of an error code: what happened, and what to do next. */
export interface CodeExplanation {
  readonly text: string
  readonly next: string
}

/** A screen of a feature. `Props` are the values that the feature shows it with, `Key` the keys of the feature's texts. */
export interface FeatureScreen<Props extends object = Readonly<Record<string, unknown>>, Key extends string = string> {
  readonly name: string
  /** The key of the title in the feature's texts. */
  readonly title: string
  /**
   * Loads the component for the renderer, on first use: with `@postern/pages`, a React component that receives `{ props,
   * texts, csrfToken, context }`.
   */
  readonly component: () => Promise<unknown>
  /** `'wide'` for a page with lists, such as those of the account. @defaultValue `'narrow'`, for a single form */
  readonly width?: 'narrow' | 'wide' | undefined
  /** JavaScript that the screen loads as a file. The policy of the page allows no request from it, only forms. */
  readonly script?: string | undefined
  /** The screen without a renderer. */
  plain(props: Props, texts: Readonly<Record<Key, string>>): PlainScreen
}

/** A screen as plain text, links and one form. */
export interface PlainScreen {
  readonly text: string
  readonly links?: readonly { readonly label: string; readonly href: string }[]
  readonly form?: {
    readonly action: string
    readonly submit: string
    readonly fields: readonly {
      readonly name: string
      readonly label: string
      /** The type of the input; `hidden` is posted without being shown. */
      readonly type: string
      /** @defaultValue nothing */
      readonly value?: string
    }[]
  }
}

/** A screen of a feature with its values. */
export interface FeaturePage {
  readonly name: 'feature'
  /** The id of the feature and the name of the screen: `terms/accept`. */
  readonly screen: FeatureScreen
  readonly id: string
  readonly props: Readonly<Record<string, unknown>>
  readonly texts: ByLanguage<Readonly<Record<string, string>>>
  readonly csrfToken: string
  /** The names of its scripts, below `<basePath>/assets/`. @defaultValue none */
  readonly scripts?: readonly string[]
}
