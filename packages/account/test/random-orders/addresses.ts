import { change } from './credentials.ts'
import { playDeletion } from './ends.ts'
import { findCode, findToken, type Ground, getUser, keyOf, playWithoutFactors, type Step, unchanged } from './ground.ts'
import {
  endImpersonations,
  findSession,
  isSignedIn,
  mapTokens,
  type Played,
  play,
  readToken,
  type Scene
} from './scene.ts'
import { trustBrowser } from './sign-ins.ts'
import type { Visitor } from './visitor.ts'

const kind = 'address change'

/** The new addresses of changes, by what waits. */
export type Addresses = Map<string, string>

/** Asks for another address, and proves it in the same session. */
export function askForAddress(ground: Ground, visitor: Visitor, addresses: Addresses): Step {
  const { stage } = ground
  const [from, to] = [getUser(ground)?.address ?? '', `ada${++ground.count}@example.com`]
  const actor = keyOf(ground, visitor)
  let token = ''
  return {
    label: `asks for the address ${to}`,
    isAboutAddress: true,
    isMailedFirst: true,
    visitor,
    run: async () => {
      const since = stage.mailbox.mails.length
      const asked = await visitor.post('/account/email', { email: to })
      if (!asked.location?.endsWith('/account/email/confirm')) return false
      const code = (await findCode(ground, since, to, /Confirm your new/)) ?? ''
      const { location } = await visitor.post('/account/email/confirm', { code })
      // Nobody has proven the address before, who could object.
      if (location?.includes('emailConfirmed')) return true
      if (!location?.endsWith('/account/email')) return false
      token = (await findToken(ground, since, from, '/account/email/change')) ?? ''
      return token !== ''
    },
    apply: (scene) => {
      if (!scene.world.users.ada?.isProven) return play(scene, 'change the address', { actor, made: { address: to } })
      const others = mapTokens(scene, (each) => (each.kind === kind ? { ...each, isStored: false } : each))
      return play(others, 'ask for a change of the address', { actor })
    },
    adopt: ({ put }) => {
      if (put === null) return
      ground.links.set(put, token)
      addresses.set(put, to)
    }
  }
}

/** Makes a change that waits: in a session, which continues, or without one. */
function playChange(scene: Scene, id: string, address: string, actor: string | null): Played | null {
  const token = readToken(scene, id)
  if (!token?.isStored || token.isOver || token.address !== scene.world.users.ada?.address) return null
  const session = findSession(scene, actor)
  const isOwn = session !== null && isSignedIn(scene, actor) && session.versions.admin === undefined
  if (!isOwn || session.user !== 'ada')
    return play(scene, 'change the address when due', { token: id, made: { address } })
  return play(scene, 'change the address', { actor, made: { address } })
}

/** Confirms or cancels a change with the link in a mail, which may be an old one. */
export function decideAddress(
  ground: Ground,
  visitor: Visitor,
  { id, addresses, decision }: { readonly id: string; readonly addresses: Addresses; readonly decision: string }
): Step {
  const actor = keyOf(ground, visitor)
  const trust = visitor.trustValue
  return {
    label: `${decision}s ${id}`,
    isAboutAddress: true,
    visitor,
    run: async () => {
      await visitor.post('/account/email/change', { token: ground.links.get(id) ?? '', decision })
      return 'silent'
    },
    apply: (scene) =>
      decision === 'cancel'
        ? play(scene, 'cancel the change of the address', { token: id })
        : // The owner of the mailbox confirms it, who needs no second factor.
          playWithoutFactors(scene, (from) => playChange(from, id, addresses.get(id) ?? '', actor)),
    adopt: () => trustBrowser(ground, visitor, trust)
  }
}

/** Confirms a change with a factor that was given for it. */
export function approveAddress(ground: Ground, visitor: Visitor, id: string, addresses: Addresses): Step {
  const step = change(ground, visitor, {
    label: `approves ${id}`,
    run: async () => {
      const { location } = await visitor.post('/account/email/approve')
      return location?.includes('emailChanged') ?? false
    },
    plays: (scene, actor) => {
      const token = readToken(scene, id)
      if (!token?.isStored || token.isOver) return null
      return isSignedIn(scene, actor) ? playChange(scene, id, addresses.get(id) ?? '', actor) : null
    }
  })
  return { ...step, isAboutAddress: true }
}

/** Cancels a change in a session. */
export function cancelAddress(ground: Ground, visitor: Visitor, id: string): Step {
  const actor = keyOf(ground, visitor)
  return {
    label: `cancels ${id} in the session`,
    visitor,
    run: async () => (await visitor.post('/account/email/cancel')).location?.includes('emailCancelled') ?? false,
    apply: (scene) => {
      if (!isSignedIn(scene, actor)) return null
      const token = readToken(scene, id)
      return token?.isStored ? play(scene, 'cancel the change of the address', { token: id }) : unchanged(scene)
    }
  }
}

/** A week passes, in which what waits happens. */
export function letWeekPass(ground: Ground, addresses: Addresses): Step {
  const { stage } = ground
  return {
    label: 'a week passes',
    isAboutAddress: true,
    visitor: null,
    isRequired: true,
    run: async (route) => {
      stage.clock.advance(7 * 86_400 + 1)
      const { account } = stage.auth[route === 'other' ? 'other' : 'one'].features
      await account.changeDueEmails()
      await account.deleteDue()
      return true
    },
    apply: (scene) => {
      const due = scene.world.tokens.find((each) => each.kind === kind && each.isStored && !each.isOver)
      const changed = due ? playChange(scene, due.id, addresses.get(due.id) ?? '', null) : null
      const after = endImpersonations(changed?.scene ?? scene)
      return after.deletion ? playDeletion(after) : unchanged(after)
    }
  }
}
