import { randomUUID } from 'node:crypto'
import { change } from './credentials.ts'
import {
  findToken,
  type Ground,
  getUser,
  keyOf,
  playUnsuspended,
  playWithoutFactors,
  type Step,
  toId,
  unchanged
} from './ground.ts'
import { isSignedIn, mapTokens, type Played, play, type Scene } from './scene.ts'
import type { Route } from './stage.ts'
import type { Visitor } from './visitor.ts'

const authAt = ({ stage }: Ground, route: Route) => stage.auth[route === 'other' ? 'other' : 'one']

/** A call of the application. */
const call = (
  ground: Ground,
  label: string,
  work: (auth: ReturnType<typeof authAt>, id: string) => Promise<unknown>,
  apply: Step['apply']
): Step => ({
  ...{ label, visitor: null, isRequired: true, apply },
  run: async (route) => {
    await work(authAt(ground, route), ground.adaId ?? 'nobody')
    return true
  }
})

export const endAll = (ground: Ground): Step =>
  call(
    ground,
    'the application ends all sessions',
    (auth, id) => auth.sessions.revokeAll(id),
    (scene) => play(scene, 'end all sessions')
  )

export const endAdmin = (ground: Ground): Step =>
  call(
    ground,
    'the application ends all sessions of the administrator',
    (auth) => auth.sessions.revokeAll(ground.adminId),
    (scene) => play(scene, 'end all sessions of the administrator')
  )

export const suspend = (ground: Ground): Step =>
  call(
    ground,
    'the application suspends',
    (auth, id) => auth.users.suspend(id),
    (scene) => (scene.world.users.ada ? play(scene, 'suspend') : null)
  )

export const resume = (ground: Ground): Step =>
  call(
    ground,
    'the application resumes',
    (auth, id) => auth.users.resume(id),
    (scene) => (scene.world.users.ada ? play(scene, 'resume') : null)
  )

/** What is gone with the user. */
export function playDeletion(scene: Scene): Played | null {
  const played = play(scene, 'delete the user')
  return played && { ...played, scene: { ...played.scene, deletion: null } }
}

export const deleteUser = (ground: Ground): Step =>
  call(ground, 'the application deletes the user', (auth, id) => auth.deleteUser(id), playDeletion)

export const invite = (ground: Ground): Step =>
  call(
    ground,
    'the application invites',
    (auth, id) => auth.invite(id, { expiresIn: 86_400 }),
    (scene) => {
      // A new invitation replaces the earlier one.
      const before = mapTokens(scene, (each) => (each.kind === 'invitation' ? { ...each, isStored: false } : each))
      // The application may invite a user whom it has suspended: the invitation is of no use before it resumes.
      return playUnsuspended(before, (from) => play(from, 'invite'))
    }
  )

/** The application writes another address, which it has verified. */
export function writeAddress(ground: Ground): Step {
  const address = `ada${++ground.count}@example.com`
  const step = call(
    ground,
    'the application writes an address',
    async (auth, id) => {
      const emailVerified = new Date(ground.stage.clock.now())
      await ground.stage.adapter.updateUser?.({ id, email: address, emailVerified })
      await auth.users.changed(id)
    },
    (scene) =>
      play(scene, 'write an address and call users.changed', {
        made: { address },
        user: (user) => ({ ...user, address, isProven: true })
      })
  )
  return { ...step, isAboutAddress: true }
}

/** Seconds. */
const lifetime = 120

/** A logout token for the subject, which is of use while the account is connected. */
export function logOutAtProvider(ground: Ground, visitor: Visitor): Step {
  const { issuer, clock } = ground.stage
  return {
    label: 'the provider ends the sessions',
    visitor,
    isRequired: true,
    run: async () => {
      const send = async (): Promise<number> => {
        const now = Math.floor(clock.now() / 1000)
        const about = { iss: issuer.issuer, aud: issuer.clientId, iat: now, exp: now + lifetime, jti: randomUUID() }
        const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
        const token = await issuer.sign({ ...about, sub: 'ada', events }, { typ: 'logout+jwt' })
        const { status } = await visitor.postBody('/backchannel-logout/acme', { logout_token: token })
        // A week may pass beside it: the token has expired, and the provider sends another.
        return status === 400 && clock.now() / 1000 > now + lifetime ? send() : status
      }
      const status = await send()
      if (status !== 200) throw new Error(`the logout token was refused: ${status}`)
      return true
    },
    apply: (scene) =>
      scene.world.users.ada?.accounts.includes('acme')
        ? play(scene, 'receive a logout token for a subject')
        : unchanged(scene)
  }
}

/**
 * Ends a session. If it is an impersonation, the session that it was started from ends, with every other impersonation that was started
 * from it.
 */
function playSignOut({ startedFrom }: Ground, scene: Scene, key: string | null): Played {
  if (key === null || !isSignedIn(scene, key)) return unchanged(scene)
  const from = startedFrom.get(toId(key))
  const others = [...startedFrom].filter(([, started]) => started === from).map(([id]) => id)
  const ids = new Set([toId(key), ...(from === undefined ? [] : [from, ...others])])
  return [...ids].reduce<Played>(
    (played, target) => play(played.scene, 'sign out', { target }) ?? played,
    unchanged(scene)
  )
}

export function signOut(ground: Ground, visitor: Visitor): Step {
  const key = keyOf(ground, visitor)
  return {
    label: 'signs out',
    visitor,
    isRequired: true,
    run: async () => {
      await visitor.post('/signout')
      return true
    },
    apply: (scene) => playSignOut(ground, scene, key)
  }
}

/** Ends the session of another browser in the list of the application. */
export function endOne(ground: Ground, visitor: Visitor): Step {
  const key = keyOf(ground, visitor)
  return call(
    ground,
    `the application ends the session of ${visitor.name}`,
    async (auth, id) => {
      const listed = await auth.sessions.list(id, visitor.createRequest())
      const session = listed.find(({ isCurrent }) => isCurrent)
      if (session) await auth.sessions.revoke(session.id, id)
    },
    (scene) => (key && isSignedIn(scene, key) ? play(scene, 'sign out', { target: toId(key) }) : unchanged(scene))
  )
}

export const endOthers = (ground: Ground, visitor: Visitor): Step =>
  change(ground, visitor, {
    label: 'ends the other sessions',
    run: async () => (await visitor.post('/account/devices/end-others')).location?.includes('devicesEnded') ?? false,
    // It needs no second factor: nothing of the user changes.
    plays: (scene, actor) => playWithoutFactors(scene, (from) => play(from, 'end the other sessions', { actor }))
  })

/** Asks for a deletion, which the owner of the address may confirm. */
export function askForDeletion(ground: Ground, visitor: Visitor): Step {
  const id = `deletion ${++ground.count}`
  const address = getUser(ground)?.address ?? ''
  const actor = keyOf(ground, visitor)
  let token = ''
  return {
    label: `asks for ${id}`,
    visitor,
    isMailedFirst: true,
    run: async () => {
      const since = ground.stage.mailbox.mails.length
      const { body, location } = await visitor.post('/account/delete', { confirmation: 'DELETE' })
      // Nobody has proven the address, who could object.
      if (body.includes('Your account has been deleted')) return true
      if (!location?.endsWith('/account/delete')) return false
      token = (await findToken(ground, since, address, '/account/delete/confirm')) ?? ''
      // Another deletion waits already, or the address has just changed.
      return token !== '' || 'silent'
    },
    apply: (scene) => {
      if (!isSignedIn(scene, actor)) return null
      if (!scene.world.users.ada?.isProven) return playDeletion(scene)
      return scene.deletion === null ? unchanged({ ...scene, deletion: { id, address } }) : null
    },
    adopt: () => void ground.links.set(id, token)
  }
}

/** Decides about a deletion with the link in a mail, which may be an old one. */
export function decideDeletion(ground: Ground, visitor: Visitor, id: string, decision: 'confirm' | 'cancel'): Step {
  return {
    label: `${decision}s ${id}`,
    visitor,
    run: async () => {
      const token = ground.links.get(id) ?? ''
      await visitor.post('/account/delete/confirm', { token, decision })
      return 'silent'
    },
    apply: (scene) => {
      const { deletion, world } = scene
      if (deletion?.id !== id || !world.users.ada) return null
      if (decision === 'cancel') return unchanged({ ...scene, deletion: null })
      if (world.barred.includes('ada') || deletion.address !== world.users.ada.address) return null
      return playDeletion(scene)
    }
  }
}
