/** The cookie of a browser whose device can create passkeys. Its script sets it, so that others are not offered any. */
export const passkeySupportCookie = 'postern.passkeys'

/** What the scripts share. It ends in the middle of a function, which {@link compose} closes. */
const shared = `(() => {
  const { PublicKeyCredential: Passkey, navigator: { credentials } } = window
  const isSupported = Boolean(Passkey && credentials)
  const base = new URL('..', document.currentScript.src)

  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const withBytes = (list) => list.map((one) => ({ ...one, id: toBytes(one.id) }))
  const parseRequest = (options) => Passkey.parseRequestOptionsFromJSON?.(options) ?? {
    ...options, challenge: toBytes(options.challenge), allowCredentials: withBytes(options.allowCredentials)
  }
  // Extensions of password managers replace credentials by objects whose toJSON fails.
  const serialize = ({ id, response }) => {
    const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
    const fields = names.filter((name) => response[name]).map((name) => [name, toText(response[name])])
    const transports = response.getTransports?.() ?? []
    return JSON.stringify({ id, rawId: id, type: 'public-key', response: { ...Object.fromEntries(fields), transports } })
  }
  // The same as in @postern/react. Browsers do not tell a user who cancels from the end of the time.
  const codes = {
    NotAllowedError: 'PasskeyCancelled',
    AbortError: 'PasskeyCancelled',
    SecurityError: 'PasskeyWrongDomain',
    InvalidStateError: 'PasskeyExists',
    NotSupportedError: 'PasskeyUnsupported',
    ConstraintError: 'PasskeyUnsupported'
  }
  const getCode = ({ name }) => codes[name] ?? 'PasskeyFailed'

  const used = 'postern.passkey'
  const remember = ({ rpId }, { id: credentialId }) => {
    if (rpId) sessionStorage.setItem(used, JSON.stringify({ rpId, credentialId }))
  }
`

/** Creates and uses passkeys in forms. */
const forms = `
  for (const one of document.querySelectorAll('[data-passkey-if]'))
    one.hidden = one.dataset.passkeyIf !== (isSupported ? 'supported' : 'unsupported')

  const parseCreation = (options) => Passkey.parseCreationOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials)
  }
  const ask = (options) => options.user
    ? credentials.create({ publicKey: parseCreation(options) })
    : credentials.get({ publicKey: parseRequest(options) })

  const explain = (form, code, button) => {
    // A button that is put back shows no more that it was pressed.
    button?.replaceWith(button)
    button?.focus()
    const template = form.querySelector('[data-passkey-failures]')
    if (!template) return
    const explanations = JSON.parse(template.dataset.passkeyFailures)
    const [text, next] = explanations[code] ?? explanations.PasskeyFailed
    document.getElementById('notice')?.remove()
    template.after(template.content.cloneNode(true))
    const strong = form.querySelector('#notice strong')
    strong.textContent = text
    strong.parentNode.replaceChildren(strong, ' ', next)
  }

  for (const form of document.forms) {
    const { credential, options, email, conditional } = form.elements
    if (!credential || !options) continue
    const send = (parsed, response) => {
      remember(parsed, response)
      credential.value = serialize(response)
      options.disabled = true
      form.requestSubmit()
    }
    const waiting = new AbortController()
    const stop = () => waiting.abort()
    // A browser has one request at a time, and a user who continues wants no passkey.
    addEventListener('pagehide', stop)
    document.addEventListener('submit', stop, true)
    for (const link of document.links) link.addEventListener('click', stop)
    form.addEventListener('submit', async (event) => {
      if (credential.value) return
      event.preventDefault()
      event.stopPropagation()
      if (!isSupported) return explain(form, 'PasskeyUnsupported', event.submitter)
      try {
        const parsed = JSON.parse(options.value)
        if (email) Object.assign(parsed.user, { name: email.value, displayName: email.value })
        const { hint } = event.submitter?.dataset ?? {}
        if (hint) parsed.hints = [hint]
        send(parsed, await ask(parsed))
      } catch (error) {
        explain(form, getCode(error), event.submitter)
      }
    })
    // A passkey for the password that the password manager has just filled in: the browser does not ask.
    const upgrade = async () => {
      const { conditionalCreate = false } = (await Passkey.getClientCapabilities?.()) ?? {}
      if (!conditionalCreate) return
      const parsed = JSON.parse(options.value)
      const { signal } = waiting
      const response = await credentials.create({ publicKey: parseCreation(parsed), mediation: 'conditional', signal })
      conditional.value = 'true'
      send(parsed, response)
    }
    if (conditional && isSupported) upgrade().catch(() => {})
  }

  const accepted = document.querySelector('[data-passkey-accepted]')?.dataset.passkeyAccepted
  for (const one of JSON.parse(accepted ?? '[]')) Passkey?.signalAllAcceptedCredentials?.(one).catch(() => {})
`

/** Signs in on the sign-in page. */
const signIn = `
  const show = (code) => {
    const url = new URL(location)
    for (const name of ['reason', 'ref']) url.searchParams.delete(name)
    url.searchParams.set('error', code)
    location.assign(url)
  }
  const refused = sessionStorage.getItem(used)
  if (refused && new URLSearchParams(location.search).get('error') === 'PasskeyUnknown')
    Passkey?.signalUnknownCredential?.(JSON.parse(refused)).catch(() => {})
  sessionStorage.removeItem(used)

  // A mailed link is valid for a day at most.
  const attributes = ['max-age=86400', 'samesite=lax', 'path=' + base.pathname]
  if (location.protocol === 'https:') attributes.push('secure')
  Passkey?.isUserVerifyingPlatformAuthenticatorAvailable?.()
    .then((can) => can && (document.cookie = ['${passkeySupportCookie}=1', ...attributes].join(';'))).catch(() => {})

  const button = document.querySelector('form[action$="/signin/passkey"]')
  const field = document.querySelector('input[autocomplete~="webauthn"]')
  const load = async () => {
    const response = await fetch(new URL('passkey/options', base))
    if (!response.ok) throw new Error('no options')
    return response.json()
  }
  const send = (options, response) => {
    remember(options, response)
    const { csrfToken, callbackUrl } = (button ?? field.form).elements
    const values = { csrfToken: csrfToken.value, callbackUrl: callbackUrl.value, credential: serialize(response) }
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: new URL('callback/passkey', base).href, hidden: true })
    for (const [name, value] of Object.entries(values))
      form.append(Object.assign(document.createElement('input'), { name, value }))
    document.body.append(form)
    form.submit()
  }

  let waiting = null
  const wait = async () => {
    waiting?.abort()
    const { signal } = (waiting = new AbortController())
    const options = await load()
    if (!signal.aborted)
      send(options, await credentials.get({ publicKey: parseRequest(options), mediation: 'conditional', signal }))
  }
  const fill = () => field && Passkey?.isConditionalMediationAvailable?.()
    .then((isAvailable) => isAvailable && wait()).catch(() => {})
  fill()
  // A challenge is valid for five minutes.
  setInterval(() => document.hidden || fill(), 240_000)
  addEventListener('visibilitychange', () => document.hidden || fill())
  addEventListener('pagehide', () => waiting?.abort())
  addEventListener('pageshow', ({ persisted }) => persisted && fill())

  button?.addEventListener('submit', async (event) => {
    event.preventDefault()
    event.stopPropagation()
    if (!isSupported) return show('PasskeyUnsupported')
    waiting?.abort()
    let options
    try {
      options = await load()
    } catch {
      return button.submit()
    }
    try {
      send(options, await credentials.get({ publicKey: parseRequest(options) }))
    } catch (error) {
      show(getCode(error))
    }
  })
`

const compose = (part: string): string => `${shared}${part}})()\n`

/**
 * The script of the sign-in page: it asks for passkeys in the autofill of the username field, and when the button is pressed.
 * If none was used, the page is loaded again with the code of the reason, which it explains. Without the script, the button
 * opens a page that explains what is needed.
 */
export const signInScript: string = compose(signIn)

/**
 * The script of the other pages: the options are in a form, which it posts with the response. A page shows what needs a
 * passkey, or says that the browser has none, with `data-passkey-if`.
 */
export const script: string = compose(forms)
