/**
 * The script of the sign-in page and of the pages of the feature.
 *
 * On the sign-in page it asks for passkeys in the autofill of the username field, and when the button is pressed. On the
 * other pages the options are in a form, which it posts with the response. Without it, the button of the sign-in page opens
 * a page that explains what is needed. A page shows what needs a passkey, or says that the browser has none, with
 * `data-passkey-if`.
 */
export const script: string = `(() => {
  const { PublicKeyCredential: Passkey, navigator: { credentials } } = window
  const isSupported = Boolean(Passkey && credentials)
  for (const one of document.querySelectorAll('[data-passkey-if]'))
    one.hidden = one.dataset.passkeyIf !== (isSupported ? 'supported' : 'unsupported')
  if (!isSupported) return
  const base = new URL('..', document.currentScript.src)

  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const withBytes = (list) => list.map((one) => ({ ...one, id: toBytes(one.id) }))
  const parseRequest = (options) => Passkey.parseRequestOptionsFromJSON?.(options) ?? {
    ...options, challenge: toBytes(options.challenge), allowCredentials: withBytes(options.allowCredentials)
  }
  const parseCreation = (options) => Passkey.parseCreationOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials)
  }
  // Extensions of password managers replace credentials by objects whose toJSON fails.
  const serialize = ({ id, response }) => {
    const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
    const fields = names.filter((name) => response[name]).map((name) => [name, toText(response[name])])
    const transports = response.getTransports?.() ?? []
    return JSON.stringify({ id, rawId: id, type: 'public-key', response: { ...Object.fromEntries(fields), transports } })
  }
  const ask = (options) => options.user
    ? credentials.create({ publicKey: parseCreation(options) })
    : credentials.get({ publicKey: parseRequest(options) })

  const used = 'postern.passkey'
  const remember = ({ rpId }, { id: credentialId }) => {
    if (rpId) sessionStorage.setItem(used, JSON.stringify({ rpId, credentialId }))
  }

  for (const form of document.forms) {
    const { credential, options } = form.elements
    if (!credential || !options) continue
    form.addEventListener('submit', async (event) => {
      if (credential.value) return
      event.preventDefault()
      event.stopPropagation()
      const failure = document.querySelector('[data-passkey-failure]')
      if (failure) failure.hidden = true
      try {
        const parsed = JSON.parse(options.value)
        const { email } = form.elements
        if (email) Object.assign(parsed.user, { name: email.value, displayName: email.value })
        const response = await ask(parsed)
        remember(parsed, response)
        credential.value = serialize(response)
        options.disabled = true
        form.requestSubmit()
      } catch {
        if (failure) failure.hidden = false
      }
    })
  }

  const accepted = document.querySelector('[data-passkey-accepted]')?.dataset.passkeyAccepted
  for (const one of JSON.parse(accepted ?? '[]')) Passkey.signalAllAcceptedCredentials?.(one).catch(() => {})
  const refused = sessionStorage.getItem(used)
  if (refused && new URLSearchParams(location.search).get('error') === 'PasskeyUnknown')
    Passkey.signalUnknownCredential?.(JSON.parse(refused)).catch(() => {})
  sessionStorage.removeItem(used)

  const button = document.querySelector('form[action$="/signin/passkey"]')
  const field = document.querySelector('input[autocomplete~="webauthn"]')
  if (!button && !field) return
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
  const fill = () => field && Passkey.isConditionalMediationAvailable?.()
    .then((isAvailable) => isAvailable && wait()).catch(() => {})
  fill()
  // A challenge is valid for five minutes.
  setInterval(() => document.hidden || fill(), 240_000)
  addEventListener('visibilitychange', () => document.hidden || fill())
  addEventListener('pageshow', ({ persisted }) => persisted && fill())

  button?.addEventListener('submit', async (event) => {
    event.preventDefault()
    event.stopPropagation()
    waiting?.abort()
    let options
    try {
      options = await load()
    } catch {
      return button.submit()
    }
    try {
      send(options, await credentials.get({ publicKey: parseRequest(options) }))
    } catch {
      fill()
    }
  })
})()
`
