import { createApp } from '../second-factor-application.ts'
import type { CreationOptions } from '../software-authenticator.ts'
import type { Provider } from './application.ts'
import { findCode, findToken, type Ground, getUser, keyOf, one, type Step } from './ground.ts'
import { type Played, play, type Scene } from './scene.ts'
import { trustBrowser } from './sign-ins.ts'
import type { Visitor } from './visitor.ts'

/** A step that the session of a browser asks for. */
interface Change {
  readonly label: string
  readonly run: () => Promise<boolean>
  readonly plays: (scene: Scene, actor: string | null) => Played | null
  readonly adopt?: (played: Played) => void
}

/** A change, which gives the session another token, and keeps the browser trusted if it was. */
export function change(ground: Ground, visitor: Visitor, { label, run, plays, adopt }: Change): Step {
  const actor = keyOf(ground, visitor)
  const trust = visitor.trustValue
  return {
    label,
    visitor,
    run,
    apply: (scene) => plays(scene, actor),
    adopt: (played) => {
      adopt?.(played)
      trustBrowser(ground, visitor, trust)
    }
  }
}

const newPassword = (ground: Ground): string => `another password number ${++ground.count}`

export function changePassword(ground: Ground, visitor: Visitor): Step {
  const password = newPassword(ground)
  const current = getUser(ground)?.password ?? null
  return change(ground, visitor, {
    label: 'changes the password',
    run: async () => {
      const known: Record<string, string> = current === null ? {} : { currentPassword: current }
      const { location } = await visitor.post('/password', { ...known, newPassword: password, password })
      return location?.endsWith('/password/changed') ?? false
    },
    plays: (scene, actor) => {
      if (scene.world.users.ada?.password !== current) return null
      if (current !== null) return play(scene, 'change the password', { actor, password: current, made: { password } })
      // A first password ends the sessions too, as a changed one does.
      return play(scene, 'end the other sessions', { actor, user: (user) => ({ ...user, password }) })
    },
    adopt: () => void ground.passwords.add(password)
  })
}

export function askForReset(ground: Ground, visitor: Visitor): Step {
  const to = getUser(ground)?.address ?? 'nobody@example.com'
  const name = `reset link ${++ground.count}`
  let token = ''
  return {
    label: 'asks for a reset',
    visitor,
    run: async () => {
      const since = ground.stage.mailbox.mails.length
      await visitor.post('/password/forgot', { email: to })
      token = (await findToken(ground, since, to, '/password/reset')) ?? ''
      // While the user is suspended, the link in the mail is of no use.
      if (token !== '') ground.links.set(name, token)
      return 'silent'
    },
    apply: (scene) => (scene.world.users.ada?.isProven ? play(scene, 'ask for a reset') : null),
    adopt: ({ put }) => {
      if (put === null || token === '') return
      ground.links.delete(name)
      ground.links.set(put, token)
    }
  }
}

export function reset(ground: Ground, visitor: Visitor, id: string): Step {
  const password = newPassword(ground)
  return {
    label: `uses ${id}`,
    visitor,
    run: async () => {
      const token = ground.links.get(id) ?? ''
      const { location } = await visitor.post('/password/reset', { token, newPassword: password, password })
      return location?.endsWith('/password/changed') ?? false
    },
    apply: (scene) => play(scene, 'reset the password', { token: id, made: { password } }),
    adopt: () => void ground.passwords.add(password)
  }
}

const codeSubject = /Your code/

/** Adds a factor, which ends the other sessions if it is the first. */
function playFactor(scene: Scene, actor: string | null, factor: string): Played | null {
  const isFirst = scene.world.users.ada?.factors.length === 0
  return play(scene, isFirst ? 'add the first factor' : 'add a factor', { actor, made: { factor } })
}

export function enroll(ground: Ground, visitor: Visitor): Step {
  const factor = `app ${++ground.count}`
  let key = ''
  return change(ground, visitor, {
    label: `adds ${factor}`,
    run: async () => {
      const { stage } = ground
      const started = await visitor.post('/factors/totp/start')
      if (!started.location?.endsWith('/factors/totp')) return false
      const since = stage.mailbox.mails.length
      await visitor.post('/factors/totp', { send: 'mail' })
      const page = await visitor.json<{ props?: { key?: { text: string } } }>('/factors/totp')
      key = page?.props?.key?.text ?? ''
      if (key === '') return false
      const mailCode = (await findCode(ground, since, getUser(ground)?.address ?? '', codeSubject)) ?? ''
      stage.clock.advance(31)
      const code = createApp(key, stage.clock.now).code()
      const { status, body } = await visitor.post('/factors/totp', { code, mailCode })
      return status === 200 && /\b[\dA-Z]{5}-[\dA-Z]{5}\b/.test(body)
    },
    plays: (scene, actor) => {
      const hasApp = scene.world.users.ada?.factors.some((each) => each.startsWith('app'))
      return hasApp ? null : playFactor(scene, actor, factor)
    },
    adopt: () => void ground.keys.set(factor, key)
  })
}

/** Removes a factor, which need not be the first one. */
function playRemoval(scene: Scene, actor: string | null, factor: string): Played | null {
  const { ada } = scene.world.users
  if (!ada?.factors.includes(factor)) return null
  const factors = [factor, ...ada.factors.filter((each) => each !== factor)]
  const ordered = { ...scene, world: { ...scene.world, users: { ...scene.world.users, ada: { ...ada, factors } } } }
  return play(ordered, 'remove a factor', { actor })
}

export function removeApp(ground: Ground, visitor: Visitor): Step {
  const factor = getUser(ground)?.factors.find((each) => each.startsWith('app')) ?? 'no app'
  return change(ground, visitor, {
    label: `removes ${factor}`,
    run: async () => {
      const { stage, keys } = ground
      stage.clock.advance(31)
      const code = createApp(keys.get(factor) ?? 'AAAA', stage.clock.now).code()
      const before = visitor.session
      await visitor.post('/factors/totp/remove', { code })
      return visitor.session !== before
    },
    plays: (scene, actor) => playRemoval(scene, actor, factor)
  })
}

export function addPasskey(ground: Ground, visitor: Visitor): Step {
  const { stage, authenticator } = ground
  const name = `passkey ${++ground.count}`
  return change(ground, visitor, {
    label: `adds ${name}`,
    run: async () => {
      const since = stage.mailbox.mails.length
      const asked = await visitor.post('/passkeys/code')
      if (!asked.location?.endsWith('/passkeys')) return false
      const response = await visitor.post('/passkeys/options', {}, { accept: 'application/json' })
      // Beside the end of the session, the browser is asked to sign in.
      if (response.status !== 200) return false
      const { options, mail } = response.json<{ options?: CreationOptions; mail?: string }>()
      if (!options) return false
      // A session with two factors needs no code.
      const mailCode =
        mail === 'sent' ? await findCode(ground, since, getUser(ground)?.address ?? '', codeSubject) : null
      // The address has just changed: without the code, the passkey would be one factor.
      if (mail === 'sent' && mailCode === null) return false
      const credential = authenticator.create(options)
      const before = visitor.session
      const { location } = await visitor.post('/passkeys', {
        credential,
        name,
        ...(mailCode === null ? {} : { mailCode })
      })
      // A session that has ended meanwhile is led to the same page.
      return (location?.endsWith('/passkeys') ?? false) && visitor.session !== before
    },
    plays: (scene, actor) => playFactor(scene, actor, name),
    adopt: () => {
      const created = authenticator.passkeys.at(-1)
      if (created) ground.passkeys.set(name, created)
    }
  })
}

export function removePasskey(ground: Ground, visitor: Visitor): Step {
  const factors = (getUser(ground)?.factors ?? []).filter((each) => each.startsWith('passkey'))
  const factor = factors.length > 0 ? one(ground, factors) : 'no passkey'
  return change(ground, visitor, {
    label: `removes ${factor}`,
    run: async () => {
      const listed = await ground.stage.auth.one.features.passkey.list(ground.adaId ?? '')
      const id = listed.find(({ name }) => name === factor)?.id ?? 'none'
      const before = visitor.session
      await visitor.post(`/passkeys/${id}/remove`)
      return visitor.session !== before
    },
    plays: (scene, actor) => playRemoval(scene, actor, factor)
  })
}

export function unlink(ground: Ground, visitor: Visitor, provider: Provider): Step {
  return change(ground, visitor, {
    label: `disconnects ${provider}`,
    run: async () => {
      const fields = { provider, providerAccountId: 'ada' }
      const { location } = await visitor.post('/account/connections/remove', fields)
      return location?.includes('accountRemoved') ?? false
    },
    plays: (scene, actor) => play(scene, 'unlink an account', { actor, provider })
  })
}
