import type { ShownCaptcha } from '../model/captcha.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import type { CredentialField, Page, PageContext, PageName } from '../model/page.ts'
import type { FeatureMailContent, RenderedMail, Renderer, SignInMail } from '../model/renderer.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const hidden = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')

function form(action: string, fields: Readonly<Record<string, string>>, button: string, inputs: string = ''): string {
  return `<form method="post" action="${escapeHtml(action)}">${hidden(fields)}${inputs}<button>${escapeHtml(button)}</button></form>`
}

type Attributes = CredentialField['attributes']

function input(name: string, label: string, type: string, given: Attributes = {}): string {
  if (type.toLowerCase() === 'hidden') return hidden({ [name]: String(given['value'] ?? '') })
  const attributes = Object.entries(given)
    .filter(([key]) => /^(?:autocomplete|inputmode|value|data-[a-z][a-z\d-]*)$/.test(key))
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`)
  const own = `name="${escapeHtml(name)}" type="${escapeHtml(type)}"${attributes.join('')}`
  return `<label>${escapeHtml(label)} <input ${own}></label>`
}

type PageOf<Name extends Page['name']> = Extract<Page, { name: Name }>

/** The element that the script of a captcha fills, with that script. */
function captchaWidget({ script, attributes }: ShownCaptcha): string {
  const own = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<div${own.join('')}></div><script src="${escapeHtml(script)}" async defer></script>`
}

/** The explanation of a feature's code. */
function explain({ explanation }: Pick<PageOf<'signin' | 'error'>, 'explanation'>): string | null {
  return explanation ? escapeHtml(`${explanation.en.text} ${explanation.en.next}`.trim()) : null
}

function signIn(page: PageOf<'signin'>): string {
  const { choices, csrfToken, callbackUrl, error, failedForm, links = [], user = null, stepUp } = page
  const forms = choices.map((choice) => {
    const texts = choice.texts?.en
    const typed = failedForm?.providerId === choice.id && failedForm.identifier
    const value: Attributes = typed ? { value: typed } : {}
    const inputs =
      choice.type === 'email'
        ? input('email', 'Email address', 'email', { ...choice.attributes, ...value }) +
          (choice.captcha ? captchaWidget(choice.captcha) : '')
        : choice.type === 'credentials'
          ? choice.fields
              .map(({ name, label, type, attributes }) => {
                const given = name === choice.identifier ? { ...attributes, ...value } : attributes
                return input(name, texts?.labels[name] ?? label, type, given)
              })
              .join('')
          : ''
    return form(
      choice.action,
      { csrfToken, callbackUrl },
      texts?.submit ?? `Sign in with ${texts?.name ?? choice.name}`,
      inputs
    )
  })
  const problem = explain(page) ?? `Signing in did not work (${escapeHtml(error ?? '')}).`
  const signedIn = user ? `<p>You are signed in as ${escapeHtml(user.name ?? user.email ?? '')}.</p>` : ''
  const repeat = stepUp?.mustRepeat ? ' Afterwards, send the form again.' : ''
  const again = stepUp ? `<p>To continue, sign in again with the same account.${repeat}</p>` : ''
  const byMail = stepUp?.mail
    ? form(stepUp.mail.action, { csrfToken, callbackUrl }, `Mail a code to ${stepUp.mail.address}`)
    : ''
  const back = stepUp ? link(stepUp.backUrl ?? callbackUrl, 'Not now') : ''
  return `${signedIn}${error ? `<p role="alert">${problem}</p>` : again}${forms.join('')}${byMail}${links.map(({ href, text }) => link(href, text.en)).join('')}${back}`
}

function verifyRequest({ link, code, identifier, resend }: PageOf<'verify-request'>): string {
  const sent = `<p>A sign-in ${link ? 'link' : 'code'} was sent to you.</p>`
  const codeForm = code && form(code.action, { csrfToken: code.csrfToken }, 'Sign in', input('code', 'Code', 'text'))
  const fields = resend && identifier !== null ? { csrfToken: resend.csrfToken, email: identifier } : null
  return `${sent}${codeForm ?? ''}${resend && fields ? form(resend.action, fields, 'Ask for a new email') : ''}`
}

function featureScreen({ screen, props, texts, csrfToken }: PageOf<'feature'>): string {
  const { text, links = [], form: fields } = screen.plain(props, texts.en)
  const inputs = fields?.fields
    .map(({ name, label, type, value }) => input(name, label, type, value === undefined ? {} : { value }))
    .join('')
  const list = links.map(({ label, href }) => link(href, label)).join('')
  return `<p>${escapeHtml(text)}</p>${list}${fields ? form(fields.action, { csrfToken }, fields.submit, inputs) : ''}`
}

function link(href: string, label: string): string {
  return `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`
}

function getScripts(page: Page, { basePath }: PageContext): string {
  const names = page.name === 'signin' || page.name === 'feature' ? (page.scripts ?? []) : []
  return names.map((name) => `<script src="${escapeHtml(`${basePath}/assets/${name}`)}" defer></script>`).join('')
}

function getTitle(page: Page): string {
  return page.name === 'feature' ? (page.texts.en[page.screen.title] ?? page.screen.name) : titles[page.name]
}

function content(page: Page): string {
  switch (page.name) {
    case 'signin':
      return signIn(page)
    case 'signout':
      return form(page.action, { csrfToken: page.csrfToken, callbackUrl: page.callbackUrl }, 'Sign out')
    case 'verify-request':
      return verifyRequest(page)
    case 'confirm':
      return form(page.action, page.fields, `Sign in as ${page.identifier}`)
    case 'error':
      return `<p>${explain(page) ?? escapeHtml(page.error)}</p><p><a href="${escapeHtml(page.signInUrl)}">Sign in</a></p>`
    case 'start-again':
      return form(
        page.action,
        { csrfToken: page.csrfToken, callbackUrl: page.callbackUrl },
        `Start again with ${page.provider}`
      )
    case 'other-user':
      return `<p>${escapeHtml(page.user.name ?? page.user.email ?? '')} is signed in.</p>${form(page.action, { csrfToken: page.csrfToken, callbackUrl: page.callbackUrl }, `Start again with ${page.provider}`)}`
    case 'confirm-link': {
      const { provider, account, user, action, csrfToken, callbackUrl, link } = page
      const [one, other] = [account?.email ?? account?.name ?? '', user.email ?? user.name ?? '']
      const question = `Connect the ${provider} account ${one} to ${other}?`
      return `<p>${escapeHtml(question)}</p>${form(action, { csrfToken, callbackUrl, link }, 'Connect')}`
    }
    case 'used-link':
      return `<p>This link is no longer valid. ${escapeHtml(page.user.name ?? page.user.email ?? '')} is signed in.</p>${link(page.callbackUrl, 'Continue')}`
    case 'feature':
      return featureScreen(page)
    case 'welcome':
      return `<p>Welcome.</p><p><a href="${escapeHtml(page.callbackUrl)}">Continue</a></p>`
  }
}

const titles: Readonly<Record<PageName, string>> = {
  signin: 'Sign in',
  signout: 'Sign out',
  'verify-request': 'Check your email',
  confirm: 'Sign in',
  error: 'Error',
  'start-again': 'Sign in',
  'other-user': 'Sign in',
  'confirm-link': 'Connect',
  'used-link': 'Signed in',
  welcome: 'Welcome'
}

function mail({ url, code, requestedAt, browser }: SignInMail, { siteName }: PageContext): RenderedMail {
  const time = `${requestedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const requested = `Requested: ${[time, ...(browser ? [browser] : [])].join(' · ')}`
  const lines = [`Sign in to ${siteName}`, ...(url ? [url] : []), ...(code ? [code] : []), requested]
  const html = `<p>Sign in to ${escapeHtml(siteName)}</p>${url ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : ''}${code ? `<p>${escapeHtml(code)}</p>` : ''}<p>${escapeHtml(requested)}</p>`
  return { subject: `Sign in to ${siteName}`, text: `${lines.join('\n')}\n`, html }
}

function featureMail({ en }: ByLanguage<FeatureMailContent>): RenderedMail {
  const { subject, paragraphs, button } = en
  const link = button ? `<p><a href="${escapeHtml(button.url)}">${escapeHtml(button.label)}</a></p>` : ''
  return {
    subject,
    text: `${[...paragraphs, ...(button ? [button.url] : [])].join('\n\n')}\n`,
    html: `${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}${link}`
  }
}

/** Renders screens and mails as plain HTML, for an application without a renderer. */
export const plainRenderer: Renderer & Required<Pick<Renderer, 'featureMail'>> = {
  featureMail,
  page: (page, context) => {
    const title = escapeHtml(getTitle(page))
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${getScripts(page, context)}</head><body><h1>${title}</h1>${content(page)}</body></html>`
  },
  mail
}
