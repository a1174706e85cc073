/** What the application looks like: next-auth v4's `theme`, and more. Empty texts mean "the default". */
export interface Theme {
  /** @defaultValue `'auto'`, as the browser wishes */
  readonly colorScheme: 'auto' | 'dark' | 'light'
  /** One of the application's own paths, an https address or a `data:` image. */
  readonly logo: string
  /** The colour of buttons and links: hexadecimal, `rgb()`, `hsl()` or a name of CSS; in place of anything else, ours. */
  readonly brandColor: string
  /** The colour of the text on buttons. @defaultValue one that can be read there */
  readonly buttonText: string
  /** What visitors read where the application is named; the host where it is empty. */
  readonly name: string
  /** How round corners are: a CSS length, `12px`. */
  readonly radius: string
  /** Font families as CSS lists them. */
  readonly font: string
}

/** What every screen of one site shares. One object per site for its whole life, so renderers may cache by it. */
export interface Frame {
  /** The path that all routes are under, without a trailing slash: `/api/auth`. */
  readonly basePath: string
  /** `https://app.example.com`. */
  readonly origin: string
  /** The name that visitors read: `theme.name`, else the host. */
  readonly siteName: string
  readonly theme: Theme
}

/** One field of a credentials form. Attributes beyond the known ones are passed on to the input. */
export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** How a provider's button looks, as next-auth v4's `style`. */
export interface ProviderStyle {
  readonly logo?: string | undefined
  readonly logoDark?: string | undefined
  readonly bg?: string | undefined
  readonly bgDark?: string | undefined
  readonly text?: string | undefined
  readonly textDark?: string | undefined
}

/** One way to sign in, as the sign-in screen offers it. `action` is where its form is posted. */
export type Choice =
  | {
      readonly type: 'oauth'
      readonly id: string
      readonly name: string
      readonly action: string
      readonly style: ProviderStyle | null
    }
  | { readonly type: 'email'; readonly id: string; readonly name: string; readonly action: string }
  | {
      readonly type: 'credentials'
      readonly id: string
      readonly name: string
      readonly action: string
      readonly fields: readonly CredentialField[]
    }

/** Codes that the sign-in screen explains. */
export type SignInCode =
  | 'Signin'
  | 'OAuthSignin'
  | 'OAuthCallback'
  | 'OAuthCreateAccount'
  | 'EmailCreateAccount'
  | 'Callback'
  | 'OAuthAccountNotLinked'
  | 'EmailSignin'
  | 'CredentialsSignin'
  | 'SessionRequired'

/** Codes that the error screen explains; `Default` stands for everything unknown. */
export type ScreenCode =
  | 'Configuration'
  | 'AccessDenied'
  | 'Verification'
  | 'RateLimited'
  | 'StoreUnavailable'
  | 'Default'

/** Why a sign-in at a provider ended, where more can be said than the code does. */
export type Reason = 'cancelled' | 'expired' | 'unavailable' | 'misconfigured'

/** The screens as data. Every `action` and URL is ready to use; every text in it must be escaped. */
export type Page =
  | {
      readonly name: 'signin'
      readonly csrfToken: string
      readonly callbackUrl: string
      readonly choices: readonly Choice[]
      /** The code to explain; `Default` for one that is not known; `null` for none. */
      readonly error: SignInCode | 'Default' | null
      /** What stands behind `Default`: a code of the application's own, maybe, or anything that a link carried. Not to be shown. */
      readonly ownCode?: string | null
      readonly reason: Reason | null
      /** The correlation id that is in the log too. */
      readonly ref: string | null
    }
  | { readonly name: 'signout'; readonly csrfToken: string; readonly action: string; readonly callbackUrl: string }
  | {
      readonly name: 'verify-request'
      /** The address that the mail went to, where this browser asked for it. */
      readonly identifier: string | null
      /** Whether the mail has a link; where it has none there is the code only. */
      readonly link: boolean
      /** The form for the code of the mail, `length` letters; `null` where codes are off or this browser did not ask. */
      readonly code: {
        readonly action: string
        readonly csrfToken: string
        readonly length: number
        readonly wrong: boolean
      } | null
      readonly ref: string | null
    }
  | {
      readonly name: 'confirm'
      readonly identifier: string
      readonly action: string
      /** Hidden fields of the form, to be posted back as they are. */
      readonly fields: Readonly<Record<string, string>>
    }
  | {
      readonly name: 'error'
      readonly error: ScreenCode
      /** What stands behind `Default`: a code of the application's own, maybe, or anything that a link carried. Not to be shown. */
      readonly ownCode?: string | null
      readonly signInUrl: string
      /** Seconds until another try makes sense (`RateLimited`). */
      readonly retryAfter: number | null
      readonly ref: string | null
    }
  | {
      /** The attempt was lost or is too old: one button starts again. */
      readonly name: 'start-again'
      readonly provider: string
      readonly action: string
      readonly csrfToken: string
      readonly callbackUrl: string
      readonly ref: string | null
    }
  | {
      /** Somebody else signed in since the attempt began: say who, and offer to go on or start again. */
      readonly name: 'other-user'
      readonly provider: string
      readonly user: { readonly name: string | null; readonly email: string | null }
      readonly action: string
      readonly csrfToken: string
      readonly callbackUrl: string
      readonly ref: string | null
    }
  | { readonly name: 'welcome'; readonly user: string | null; readonly callbackUrl: string }

export type PageName = Page['name']
