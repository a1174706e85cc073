import type { Frame, Page, PageName } from './page.ts'

/** The mail with the sign-in link. */
export interface SignInMail {
  readonly identifier: string
  /** The link, or `null` where only the code is sent. */
  readonly url: string | null
  /** The code, all letters, or `null` where only the link is sent. */
  readonly code: string | null
  /** Seconds that the link and the code are good for. */
  readonly maxAge: number
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A file that the screens ask for, under `<basePath>/assets/<name>`; its name changes with its content. */
export interface Asset {
  readonly contentType: string
  readonly body: string
}

/** What the visitor asks for besides the page. */
export interface Wish {
  /**
   * Tags of BCP 47, best first: the application's cookie, then `Accept-Language`. One list for equal wishes, so
   * renderers may cache by it.
   */
  readonly languages: readonly string[]
}

/** Turns screens and mails into text. `@postern/pages` is one; without any, plain HTML is sent. */
export interface Renderer {
  page(page: Page, frame: Frame, wish: Wish): string
  mail(mail: SignInMail, frame: Frame, wish: Wish): RenderedMail
  /** Loads what `page` and `mail` need for a wish, before they are called; `null` where it is there already. */
  prepare?(wish: Wish): Promise<void> | null
  /** The screens that ask for a script below `<basePath>/assets/`; on every other one none may run. @defaultValue none */
  readonly scripted?: ReadonlySet<PageName>
  /** @returns The file of that name, or `null` if there is none. */
  asset?(name: string, frame: Frame): Asset | null
}
