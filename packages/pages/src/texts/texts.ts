import type { PageName, Reason, ScreenCode, SignInCode } from '@postern/core'

/** What happened, and what to do next. */
export interface Explanation {
  readonly text: string
  readonly next: string
}

/** A unit of a duration. */
export type TimeUnit = 'second' | 'minute' | 'hour' | 'day'

interface SignInTexts {
  readonly heading: string
  readonly lead: (siteName: string) => string
  readonly submit: (provider: string) => string
  /** For an email provider without a configured name, whose mails contain a link. */
  readonly byEmail: string
  /** The same, beside a password. */
  readonly byEmailInstead: string
  /** For an email provider without a configured name, whose mails contain a code only. */
  readonly byCode: string
  /** The same, beside a password. */
  readonly byCodeInstead: string
  /** For a form without a configured name. */
  readonly byCredentials: string
  readonly email: string
  readonly emailExample: string
  readonly or: string
  readonly none: string
  /** The button of the first of two steps. */
  readonly next: string
  /** Precedes the link to create an account. */
  readonly newHere: string
  /** Marks the method that this browser signed in with last. */
  readonly lastUsed: string
  /** The button beside a password, which is pressed while the password is shown. */
  readonly showPassword: string
  /** Opens the rest of many providers. */
  readonly more: string
  readonly continueAs: (user: string) => string
  /** Signs out, and shows the methods. */
  readonly anotherAccount: string
  readonly wrongPassword: Explanation
  /** After too many tries with one method: the time to wait comes before `next`, and the other methods are below. */
  readonly limited: Explanation
}

interface VerifyRequestTexts {
  readonly heading: string
  /** The mail contains a link, and this browser cannot enter its code. */
  readonly link: string
  /** The mail contains a link and a code. */
  readonly mail: string
  /** The mail contains a code, to be entered here. */
  readonly codeOnly: string
  /** The mail contains a code, to be entered in another browser. */
  readonly codeElsewhere: string
  readonly code: string
  readonly codeHint: (letters: number) => string
  readonly wrong: Explanation
  /** The tries that are left: one or two. */
  readonly triesLeft: (left: number) => string
  /** After too many wrong codes. */
  readonly spent: string
  /** Sends another mail to the address, which is shortened. */
  readonly sendNew: (address: string) => string
  readonly submit: string
  readonly missing: string
  readonly again: string
  readonly otherAddress: string
}

interface ErrorTexts {
  readonly heading: string
  readonly text: string
  readonly next: string
  readonly action: string
}

interface MailTexts {
  readonly subject: (siteName: string) => string
  readonly heading: (siteName: string) => string
  readonly identifier: string
  readonly submit: string
  readonly link: string
  /** Above the code of a mail without a link. */
  readonly code: string
  /** Above the code of a mail with a link. */
  readonly orCode: string
  readonly expiry: (duration: string) => string
  /** The time and the browser of the request. */
  readonly requested: (details: string) => string
  readonly ignore: string
}

/** Every text of the screens and mails in one language. */
export interface Texts {
  /** The BCP 47 tag of the language. */
  readonly lang: string
  /** The name of the texts among `languages`, if it is not the tag: `de-informal`, whose tag is `de`. */
  readonly variant?: string | undefined
  readonly dir: 'ltr' | 'rtl'
  /** The texts that no speaker of the language has reviewed, by name: `signIn.heading`. */
  readonly unread: 'all' | readonly string[]
  readonly titles: { readonly [N in PageName]: string }
  /** The title of a page that shows an error. */
  readonly failed: (title: string) => string
  readonly reference: (id: string) => string
  /** The link to the people who run the site. */
  readonly support: string
  readonly duration: (count: number, unit: TimeUnit) => string
  readonly signIn: SignInTexts
  /** For a signed-in user who has to authenticate again. */
  readonly stepUp: {
    readonly heading: string
    readonly lead: string
    readonly repeat: string
    /** The button that mails a code to this address. */
    readonly mail: (address: string) => string
    /** No sign-in option of the user meets the requirements of the guard. */
    readonly none: string
    /** Opens the other options of the user. */
    readonly another: string
    /** Goes back. */
    readonly notNow: string
    /** The address is known. */
    readonly wrongPassword: Explanation
  }
  readonly problems: { readonly [C in SignInCode | 'Default']: Explanation }
  /** Explanations of the application's own codes, which `SignInError` uses. */
  readonly codes: Readonly<Record<string, Explanation>>
  /** Replaces the explanation of the code if the reason is known. */
  readonly reasons: { readonly [R in Reason]: Explanation }
  readonly signOut: {
    readonly heading: string
    readonly question: string
    readonly submit: string
    readonly stay: string
  }
  readonly verifyRequest: VerifyRequestTexts
  readonly confirm: {
    readonly heading: string
    /** Precedes the address. */
    readonly lead: (siteName: string) => string
    readonly submit: string
    readonly warning: string
  }
  readonly errors: { readonly [C in ScreenCode]: ErrorTexts }
  /** What to do after too many attempts, if the waiting time is known. */
  readonly wait: (duration: string) => string
  readonly startAgain: { readonly heading: string; readonly text: string }
  readonly otherUser: {
    readonly heading: string
    readonly user: string
    readonly text: (provider: string) => string
    readonly stay: string
  }
  readonly confirmLink: {
    readonly heading: string
    /** Precedes the signed-in user. */
    readonly user: string
    /** Precedes the account at the provider. */
    readonly account: (provider: string) => string
    readonly text: (provider: string) => string
    readonly submit: string
    readonly stay: string
  }
  /** A mailed link that is no longer valid, opened by a signed-in user. */
  /** Leads from a page back to the application. */
  readonly toSite: (siteName: string) => string
  readonly usedLink: {
    readonly heading: string
    /** Precedes the signed-in user. */
    readonly user: string
    readonly text: string
    readonly submit: string
  }
  readonly welcome: {
    readonly heading: (user: string | null) => string
    readonly text: (siteName: string) => string
    readonly submit: string
  }
  readonly mail: MailTexts
}
