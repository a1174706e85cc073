import type { ShownCaptcha } from './captcha.ts'
import type { ByLanguage, CodeExplanation, FeaturePage } from './feature-page.ts'

/** The appearance of the application: next-auth v4's `theme` with additions. An empty string means the default. */
export interface Theme {
  /** @defaultValue `'auto'`, the browser's preference */
  readonly colorScheme: 'auto' | 'dark' | 'light'
  /** A path on the application's origin, an https URL or a `data:` image. */
  readonly logo: string
  /**
   * The color of buttons and links: hexadecimal, `rgb()`, `hsl()` or a CSS color name. The default replaces any other
   * value.
   */
  readonly brandColor: string
  /** The color of the text on buttons. @defaultValue a color with sufficient contrast */
  readonly buttonText: string
  /** The application's name on pages; if empty, the host. */
  readonly name: string
  /** The corner radius: a CSS length, such as `12px`. */
  readonly radius: string
  /** A CSS list of font families. */
  readonly font: string
  /** Links of the application on pages. */
  readonly links: ThemeLinks
}

/** Links of the application on pages. */
export interface ThemeLinks {
  /**
   * How users reach the people who run the site: an email address, a `mailto:` URL, a path on the application's origin or an
   * https URL. Pages that name these people link to it.
   */
  readonly support: string
}

/**
 * The data that every screen of one site shares. The object is the same for the lifetime of the site, so renderers may
 * use it as a cache key.
 */
export interface PageContext {
  /** The path prefix of all routes, without a trailing slash: `/api/auth`. */
  readonly basePath: string
  /** `https://app.example.com`. */
  readonly origin: string
  /** The displayed name: `theme.name`, else the host. */
  readonly siteName: string
  /** The home page of the application. */
  readonly siteUrl: string
  readonly theme: Theme
}

/** One field of a credentials form. Unknown attributes are copied to the input. */
export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** The appearance of a provider's button, as next-auth v4's `style`. */
export interface ProviderStyle {
  readonly logo?: string | undefined
  readonly logoDark?: string | undefined
  readonly bg?: string | undefined
  readonly bgDark?: string | undefined
  readonly text?: string | undefined
  readonly textDark?: string | undefined
}

/** The texts of a feature's sign-in method in one language. */
export interface SignInOptionTexts {
  readonly name: string
  /** The text of the button; `null` for the usual one with the name. */
  readonly submit: string | null
  /** The labels of the fields, by the name of the field. */
  readonly labels: Readonly<Record<string, string>>
}

interface SignInOptionBase {
  readonly id: string
  readonly name: string
  /** The URL that the form is posted to. */
  readonly action: string
  /** The text of the button. @defaultValue the usual one with the name */
  readonly submit?: string | null
  /** The texts by language, in place of `name`, `submit` and the labels of the fields. */
  readonly texts?: ByLanguage<SignInOptionTexts> | null
}

/** One sign-in option of the sign-in screen. */
export type SignInOption =
  | (SignInOptionBase & {
      readonly type: 'oauth'
      readonly style: ProviderStyle | null
      /** The symbol of the button, in place of a logo. @defaultValue the logo of the provider */
      readonly symbol?: 'passkey' | null
    })
  | (SignInOptionBase & {
      readonly type: 'email'
      readonly attributes?: Readonly<Record<string, string>>
      /** What the mail contains to sign in with; a mail with a link may contain a code too. @defaultValue `'link'` */
      readonly sends?: 'link' | 'code'
      /** Filled by its script before the form is sent. @defaultValue none */
      readonly captcha?: ShownCaptcha | null
    })
  | (SignInOptionBase & {
      readonly type: 'credentials'
      readonly fields: readonly CredentialField[]
      /** The name of the field with the username or address. @defaultValue none */
      readonly identifier?: string | null | undefined
      /** Whether the application declares the form, or a feature. @defaultValue `'application'` */
      readonly source?: 'application' | 'feature'
    })

/**
 * What a link of the sign-in screen is for: creating an account, or a password that the user has forgotten; `null` for
 * anything else.
 */
export type SignInLinkPurpose = 'sign-up' | 'recovery' | null

/** A link of a feature on the sign-in screen. */
export interface SignInLink {
  readonly href: string
  readonly text: ByLanguage<string>
  /** @defaultValue `null` */
  readonly purpose?: SignInLinkPurpose
  /** The ids of the sign-in methods of the feature. @defaultValue none */
  readonly methods?: readonly string[]
}

/** The first of two steps of the sign-in screen: the address, for which the second step shows the same options. */
export interface IdentifierFirst {
  /** The URL that the address is posted to. */
  readonly action: string
  /** The address of the second step; `null` in the first one. */
  readonly identifier: string | null
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
  | 'UnmetRequirements'
  | 'DifferentUser'

/** Codes that the error screen explains; `Default` stands for every unknown code. */
export type ScreenCode =
  | 'Configuration'
  | 'AccessDenied'
  | 'PermissionRequired'
  | 'Verification'
  | 'ImpersonationForbidden'
  | 'UserSuspended'
  | 'RateLimited'
  | 'StoreConflict'
  | 'UserReferenced'
  | 'StoreUnavailable'
  | 'NotFound'
  | 'Default'

/**
 * Why a sign-in failed or is required, if it is more specific than the code: `invalid` stands for an invalid email
 * address, `non-ascii` for one with other letters before the @, `captcha` for one that was not passed, `signed-out` for a user who
 * has just signed out, `session-expired` for one whose session has ended.
 */
export type Reason =
  | 'cancelled'
  | 'expired'
  | 'unavailable'
  | 'misconfigured'
  | 'invalid'
  | 'non-ascii'
  | 'captcha'
  | 'signed-out'
  | 'session-expired'

/** A form of the sign-in page that failed. */
export interface FailedForm {
  readonly providerId: string
  /** The username or address that the user typed; empty if it is unknown. */
  readonly identifier: string
}

/** How a signed-in user authenticates again, in addition to the choices, which are those that the user has. */
export interface StepUpForms {
  readonly mustRepeat: boolean
  /** Where "Not now" leads. @defaultValue the callback URL */
  readonly backUrl?: string | undefined
  /** Where the form is posted that mails a code, and the address that it is mailed to. @defaultValue none */
  readonly mail?: { readonly action: string; readonly address: string } | null
}

/** The built-in screens as data. Every `action` and URL is final; a renderer must escape every string. */
export type BuiltInPage =
  | {
      readonly name: 'signin'
      readonly csrfToken: string
      readonly callbackUrl: string
      readonly choices: readonly SignInOption[]
      /** The user who is signed in. @defaultValue none */
      readonly user?: { readonly name: string | null; readonly email: string | null } | null
      /**
       * The URL of the form that signs `user` out and returns to this screen, if `user` can continue at `callbackUrl`.
       * Its field `another` is `true`. @defaultValue none
       */
      readonly signOutUrl?: string | null
      /** The id of the option that this browser signed in with last. @defaultValue none */
      readonly lastUsed?: string | null
      /** Set if the screen has two steps. @defaultValue none */
      readonly identifierFirst?: IdentifierFirst | null
      /**
       * Set if the signed-in user has to authenticate again: whether the form that required it has to be sent again
       * afterwards, and the form that mails them a code; `null` if no code can be mailed. @defaultValue none
       */
      readonly stepUp?: StepUpForms | null
      /** Links of features, below the choices. @defaultValue none */
      readonly links?: readonly SignInLink[]
      /** The names of scripts of features, below `<basePath>/assets/`. @defaultValue none */
      readonly scripts?: readonly string[]
      /**
       * The code to explain: `Default` for an unknown one, `null` if there is none. `RateLimited` if a method accepts no
       * tries for a while, and is not among the choices.
       */
      readonly error: SignInCode | 'RateLimited' | 'Default' | null
      /** Seconds until a retry is useful (`RateLimited`). @defaultValue unknown */
      readonly retryAfter?: number | null
      /** The value behind `Default`: possibly a code of the application, or any text from a link. Never display it. */
      readonly ownCode?: string | null
      /** How the feature that declares the code explains it. The application's own explanation replaces it. */
      readonly explanation?: ByLanguage<CodeExplanation> | null
      readonly reason: Reason | null
      /** The form that failed, and the username or address that the user typed into it. @defaultValue none */
      readonly failedForm?: FailedForm | null
      /** The correlation id, which is also logged. */
      readonly ref: string | null
    }
  | { readonly name: 'signout'; readonly csrfToken: string; readonly action: string; readonly callbackUrl: string }
  | {
      readonly name: 'verify-request'
      /** The address that the mail was sent to, if this browser requested it. */
      readonly identifier: string | null
      /** Whether the mail contains a link; otherwise it only contains a code. */
      readonly link: boolean
      /**
       * The form for the code of the mail, with `length` letters; `null` if codes are off or this browser did not
       * request the mail.
       */
      readonly code: {
        readonly action: string
        readonly csrfToken: string
        readonly length: number
        readonly wrong: boolean
        /** How many more codes are accepted, if few. @defaultValue `null` */
        readonly triesLeft?: number | null
      } | null
      /** Whether too many wrong codes were entered, so that the mail is no longer valid. @defaultValue `false` */
      readonly isSpent?: boolean
      /** The form that sends another mail to `identifier`; `null` without it. @defaultValue `null` */
      readonly resend?: { readonly action: string; readonly csrfToken: string } | null
      /** Whether the code confirms a signed-in user, so that no other address can be used. @defaultValue `false` */
      readonly isStepUp?: boolean
      readonly ref: string | null
    }
  | {
      readonly name: 'confirm'
      readonly identifier: string
      readonly action: string
      /** Hidden fields, which the form posts unchanged. */
      readonly fields: Readonly<Record<string, string>>
    }
  | {
      readonly name: 'error'
      readonly error: ScreenCode
      /** The value behind `Default`: possibly a code of the application, or any text from a link. Never display it. */
      readonly ownCode?: string | null
      /** How the feature that declares the code explains it. The application's own explanation replaces it. */
      readonly explanation?: ByLanguage<CodeExplanation> | null
      readonly signInUrl: string
      /** Seconds until a retry is useful (`RateLimited`). */
      readonly retryAfter: number | null
      readonly ref: string | null
    }
  | {
      /** The sign-in attempt was lost or has expired: a button starts a new one. */
      readonly name: 'start-again'
      readonly provider: string
      readonly action: string
      readonly csrfToken: string
      readonly callbackUrl: string
      readonly ref: string | null
    }
  | {
      /** Another user has signed in since the attempt began: show who it is, and offer to continue or start again. */
      readonly name: 'other-user'
      readonly provider: string
      readonly user: { readonly name: string | null; readonly email: string | null }
      readonly action: string
      readonly csrfToken: string
      readonly callbackUrl: string
      readonly ref: string | null
    }
  | {
      /** A signed-in user is about to link an account: show both, and ask. */
      readonly name: 'confirm-link'
      readonly provider: string
      /** The account at the provider; `null` if the provider was not asked yet. */
      readonly account: { readonly name: string | null; readonly email: string | null } | null
      readonly user: { readonly name: string | null; readonly email: string | null }
      readonly action: string
      readonly csrfToken: string
      readonly callbackUrl: string
      /** The value of the form field `link`. */
      readonly link: string
    }
  | {
      /** A mailed link is no longer valid, but a user is signed in: show who it is, and continue. */
      readonly name: 'used-link'
      readonly user: { readonly name: string | null; readonly email: string | null }
      readonly callbackUrl: string
    }
  | { readonly name: 'welcome'; readonly user: string | null; readonly callbackUrl: string }

/** A screen as data: a built-in one, or one of a feature. */
export type Page = BuiltInPage | FeaturePage

/** The name of a built-in screen. */
export type PageName = BuiltInPage['name']
