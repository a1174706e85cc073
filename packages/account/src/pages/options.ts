import type { ByLanguage, Shape } from '@postern/core/feature'

/** A section of the account page that the application has a page of its own for. */
export interface OwnSection {
  /** Lower-case letters, digits and dashes. The id of another section, such as `account/profile`, replaces it. */
  readonly id: string
  readonly title: string | ByLanguage<string>
  /** A URL, or a path of the application. */
  readonly href: string
  /** A line below the title. @defaultValue none */
  readonly text?: string | ByLanguage<string> | undefined
  /** The lowest comes first; the built-in sections have 100 to 900. @defaultValue `500` */
  readonly order?: number | undefined
}

/** The options of `accountPages()`. */
export interface AccountPagesOptions {
  /**
   * The path of the application at which the account page is, such as `/settings`: the pages of all sections are below it. It
   * includes the prefix of the scope that Postern is registered in. @defaultValue `/account` below the base path
   */
  readonly path?: string | undefined
  /** The ids of sections that are not shown, and whose pages do not exist if they are built in: `account/data`. @defaultValue none */
  readonly hidden?: readonly string[] | undefined
  /** The ids of sections, in the order in which they come first. @defaultValue the order of each section */
  readonly order?: readonly string[] | undefined
  /** Sections of the application. @defaultValue none */
  readonly sections?: readonly OwnSection[] | undefined
  /**
   * The days, 1 to 90, before an account is deleted whose user has asked for it: until then, the user can sign in and keep it.
   * The adapter must store tickets.
   * @defaultValue none: it is deleted at once if the owner of the address or a second factor confirms it, or after 7 days. Without a
   * verified address or a mail server, it is deleted at once.
   */
  readonly deletionGracePeriod?: number | undefined
}

export const schema: Shape = {
  path: 'string',
  hidden: 'strings',
  order: 'strings',
  sections: 'list',
  deletionGracePeriod: { min: 1, max: 90 }
}
