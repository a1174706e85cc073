import type { Job } from '../load/drive.ts'
import type { SubjectName } from '../subjects/subject.ts'
import { link } from './link.ts'
import { passkeySignIn } from './passkey.ts'
import {
  csrf,
  floor,
  guard,
  guardByStore,
  guardOfPlugin,
  sessionByStore,
  sessionByToken,
  sessionWithout,
  signInPage
} from './single.ts'
import type { Site } from './site.ts'
import { credentials, oauth, oauthStart } from './whole.ts'

/** One job that every library does, and what it may cost. */
export interface Scenario {
  readonly id: string
  readonly title: string
  /** Whether sessions are kept in the SQLite file, in place of a cookie. */
  readonly isStored: boolean
  /** Whether a job has the server ask the provider, which is a third process. */
  readonly asksProvider: boolean
  /** What is compared with the kept figures, and with what else. @defaultValue Postern with next-auth */
  readonly checked?: { readonly subject: SubjectName; readonly reference: SubjectName }
  /** Whether it takes too long to be compared with kept figures. */
  readonly isUnchecked?: boolean
  /** Times the floor that Postern may cost. */
  readonly target: number
  /** Times the same work by hand that Postern may cost; for information. @defaultValue it is not measured by hand */
  readonly targetByHand?: number
  /** Why a library does not take part. */
  readonly absent: { readonly [name in SubjectName]?: string }
  /** Makes the job of each library that has it; its first answer has been checked. */
  readonly jobs: { readonly [name in SubjectName]?: (site: Site) => Promise<Job> }
}

const libraries = ['postern', 'next-auth', 'auth-js', 'better-auth'] as const

function getJobs(
  job: (site: Site) => Promise<Job>,
  absent: Scenario['absent'] = {}
): Pick<Scenario, 'jobs' | 'absent'> {
  const names = libraries.filter((name) => !absent[name])
  return { absent, jobs: { fastify: floor, ...Object.fromEntries(names.map((name) => [name, job])) } }
}

/** The same job written by hand, and how many times its cost Postern may have. */
function withByHand(scenario: Scenario, targetByHand: number): Scenario {
  const { postern } = scenario.jobs
  return { ...scenario, targetByHand, jobs: { ...scenario.jobs, ...(postern ? { 'by-hand': postern } : {}) } }
}

const noCsrfRoute = { 'better-auth': 'has no such route' }
const noPages = { 'better-auth': 'has no pages' }

/** Jobs of Postern with passwords, passkeys and the account page, which use none of them, beside Postern without. */
function unused(id: string, title: string, job: (site: Site) => Promise<Job>): Scenario {
  return {
    id,
    title: `${title}, with unused features`,
    isStored: true,
    asksProvider: false,
    checked: { subject: 'postern-features', reference: 'postern' },
    target: 1,
    absent: {},
    jobs: { fastify: floor, postern: job, 'postern-features': job }
  }
}

const all: readonly Scenario[] = [
  {
    id: 'A',
    title: 'session route, token',
    isStored: false,
    asksProvider: false,
    target: 2,
    ...getJobs(sessionByToken)
  },
  {
    id: 'B',
    title: 'session route, database',
    isStored: true,
    asksProvider: false,
    target: 4.2,
    ...getJobs(sessionByStore)
  },
  {
    id: 'C',
    title: 'session route, no cookie',
    isStored: false,
    asksProvider: false,
    target: 1.4,
    ...getJobs(sessionWithout)
  },
  {
    id: 'D',
    title: 'guarded route, token',
    isStored: false,
    asksProvider: false,
    target: 1.6,
    absent: {},
    jobs: { ...getJobs(guard).jobs, 'secure-session': guardOfPlugin, 'fastify-session': guardOfPlugin }
  },
  { id: 'E', title: 'csrf route', isStored: false, asksProvider: false, target: 1.9, ...getJobs(csrf, noCsrfRoute) },
  {
    id: 'F',
    title: 'sign-in page',
    isStored: false,
    asksProvider: false,
    target: 2.2,
    ...getJobs(signInPage, noPages)
  },
  { id: 'G', title: 'credentials sign-in', isStored: false, asksProvider: false, target: 9, ...getJobs(credentials) },
  { id: 'H1', title: 'OAuth, start', isStored: true, asksProvider: false, target: 10, ...getJobs(oauthStart) },
  { id: 'H2', title: 'OAuth, whole sign-in', isStored: true, asksProvider: true, target: 70, ...getJobs(oauth) },
  {
    id: 'L',
    title: 'passkey sign-in',
    isStored: true,
    asksProvider: false,
    checked: { subject: 'postern-features', reference: 'better-auth-passkey' },
    target: 110,
    absent: {},
    jobs: { fastify: floor, 'postern-features': passkeySignIn, 'better-auth-passkey': passkeySignIn }
  },
  { ...unused('M1', 'session route', sessionByStore), target: 4.2 },
  { ...unused('M2', 'guarded route', guardByStore), target: 4.2, isUnchecked: true },
  { ...unused('M3', 'OAuth, whole sign-in', oauth), target: 70, asksProvider: true, isUnchecked: true },
  {
    id: 'N',
    title: 'link of an account',
    isStored: true,
    asksProvider: true,
    isUnchecked: true,
    target: 70,
    absent: {},
    jobs: { fastify: floor, postern: link }
  }
]

const targetsByHand: Readonly<Record<string, number>> = { A: 1.5, B: 1.5, D: 1.5, G: 2, H2: 2 }

export const scenarios: readonly Scenario[] = all.map((scenario) => {
  const target = targetsByHand[scenario.id]
  return target === undefined ? scenario : withByHand(scenario, target)
})

/** @throws RangeError no such scenario. */
export function getScenario(id: string): Scenario {
  const found = scenarios.find((scenario) => scenario.id.toLowerCase() === id.toLowerCase())
  if (found) return found
  throw new RangeError(`expected one of ${scenarios.map((scenario) => scenario.id).join(', ')}, got ${id}`)
}

/** The scenario with some of its libraries, and the floor. */
export function narrow(scenario: Scenario, subjects: readonly (string | null)[]): Scenario {
  const kept = Object.entries(scenario.jobs).filter(([name]) => name === 'fastify' || subjects.includes(name))
  return { ...scenario, jobs: Object.fromEntries(kept) }
}
