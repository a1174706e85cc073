import type {
  AccountState,
  ActionResult,
  ByLanguage,
  FeatureContext,
  FeatureRequest,
  FeatureScreen,
  Principal,
  RegisteredSection,
  SectionSummary
} from '@postern/core/feature'
import { redirect } from '@postern/core/feature'
import { fillTime } from '../../plain-screen.ts'
import { deletionKey } from '../deletion/scheduled-deletion.ts'
import { readPendingDeletion } from '../deletion/show-deletion.ts'
import { showWaiting } from '../email/new-address.ts'
import { waitingKey } from '../email/waiting-change.ts'
import type { AccountPagesOptions, OwnSection } from '../options.ts'
import { pickText, TextCollector } from '../pick-text.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import type { AccountProps, ListedSection } from './props.ts'

export const accountScreen: FeatureScreen<AccountProps, TextKey> = {
  name: 'account',
  title: 'title',
  width: 'wide',
  component: async () => (await import('./overview-screen.tsx')).OverviewScreen,
  plain: ({ name, email, sections, deletion, emailChange, siteName, siteUrl, signOutUrl }, texts) => {
    const titles: Readonly<Record<string, string>> = texts
    const notice = deletion && `${fillTime(texts.deletionPending, deletion.deleteAt)} ${texts.deletionPendingText}`
    const waiting = emailChange && fillTime(texts.emailWaiting.replace('{email}', emailChange.email), emailChange.at)
    return {
      text: [texts.signedInAs, name, email, notice, waiting].filter(Boolean).join(' '),
      ...(emailChange && { form: { action: emailChange.cancelAction, submit: texts.emailCancel, fields: [] } }),
      ...(deletion && { form: { action: deletion.keepAction, submit: texts.deletionKeep, fields: [] } }),
      links: [
        ...sections.map(({ id, href }) => ({ label: titles[id] ?? id, href })),
        { label: texts.backToSite.replace('{site}', siteName), href: siteUrl },
        { label: texts.signOut, href: signOutUrl }
      ]
    }
  }
}

/** A section of the page, with its texts by language. */
interface PageSection {
  readonly id: string
  readonly order: number
  readonly href: (context: FeatureContext) => string
  readonly title: ByLanguage<string>
  readonly isDestructive: boolean
  readonly reads: readonly string[]
  readonly summarize: (account: AccountState) => SectionSummary | null
  /** The line of a summary in each language. */
  readonly getLine: (key: string) => ByLanguage<string>
}

/** @throws TypeError for a promise, whose rejection nobody would handle: it would end the process. */
function requireSummary(summary: SectionSummary | null, featureId: string): SectionSummary | null {
  if (!(summary instanceof Promise)) return summary
  summary.catch(() => undefined)
  throw new TypeError(`features.${featureId}: summary returned a promise`)
}

function toPageSection(section: RegisteredSection): PageSection {
  const { featureId, id, order, path, title, texts, summary, reads = [], isDestructive = false } = section
  return {
    id: `${featureId}/${id}`,
    order,
    isDestructive,
    reads,
    href: (context) => context.getPagePath(path),
    title: pickText(texts, title),
    summarize: (account) => (summary ? requireSummary(summary(account), featureId) : { text: '' }),
    getLine: (key) => pickText(texts, key)
  }
}

const inEnglish = (text: string | ByLanguage<string>): ByLanguage<string> =>
  typeof text === 'string' ? { en: text } : text

function fromOwnSection({ id, title, href, text = '', order = 500 }: OwnSection): PageSection {
  return {
    id,
    order,
    isDestructive: false,
    reads: [],
    href: () => href,
    title: inEnglish(title),
    summarize: () => ({ text: text === '' ? '' : 'own' }),
    getLine: () => inEnglish(text)
  }
}

/** The sections of all features and of the application, in the order of the options. */
function arrange(
  registered: readonly RegisteredSection[],
  { hidden = [], order = [], sections = [] }: AccountPagesOptions
): readonly PageSection[] {
  const own = sections.map(fromOwnSection)
  const others = registered.map(toPageSection).filter(({ id }) => !own.some((replaced) => replaced.id === id))
  const place = ({ id }: PageSection): number => (order.includes(id) ? order.indexOf(id) : order.length)
  return [...others, ...own]
    .filter(({ id }) => !hidden.includes(id))
    .toSorted((one, other) => place(one) - place(other) || one.order - other.order)
}

/** What the summaries use of the user; `null` if the user is not stored. */
async function readState(
  { userId, storedUser }: Principal,
  sections: readonly PageSection[],
  { users, factors }: FeatureContext
): Promise<AccountState | null> {
  const isRead = (method: string): boolean => sections.some(({ reads }) => reads.includes(method))
  const [user, accounts, listed] = await Promise.all([
    storedUser ?? users.getUser(userId),
    isRead('getAccounts') ? (users.getAccounts?.(userId) ?? []) : [],
    isRead('listFactors') ? factors.list(userId) : []
  ])
  const withoutTokens = accounts.map(({ provider, type, providerAccountId }) => ({ provider, type, providerAccountId }))
  return user && { user, accounts: withoutTokens, factors: listed }
}

/** Reads what waits for the user. Of most users nothing does, which takes one query. */
async function readWaiting(
  request: FeatureRequest,
  userId: string,
  setup: AccountSetup
): Promise<Pick<AccountProps, 'deletion' | 'emailChange'>> {
  const { context, hasDeletion, hasEmail } = setup
  if (!hasDeletion && !hasEmail) return { deletion: null, emailChange: null }
  const [deletion, emailChange] = await context.tickets.readAll([deletionKey(userId), waitingKey(userId)])
  return {
    deletion: deletion ? await readPendingDeletion(request, userId, setup) : null,
    emailChange: hasEmail && emailChange ? await showWaiting(request, userId, context) : null
  }
}

/** The built-in sections that change what is stored about the user: one whom the application names has none. */
const ofStoredUsers: ReadonlySet<string> = new Set(
  ['profile', 'email', 'connections', 'data', 'delete'].map((id) => `account/${id}`)
)

/** Creates the route of the account page. The sections are arranged once. */
export function createOverview(setup: AccountSetup, options: AccountPagesOptions) {
  const { context } = setup
  let arranged: readonly PageSection[] | null = null
  return async (request: FeatureRequest): Promise<ActionResult> => {
    if (context.accountPage !== null) return redirect(new URL(context.accountPage, request.origin).href)
    arranged ??= arrange(context.accountSections(), options)
    const principal = await request.requireUser()
    const [state, waiting] = await Promise.all([
      readState(principal, arranged, context),
      readWaiting(request, principal.userId, setup)
    ])
    const collector = new TextCollector()
    const sections: ListedSection[] = []
    for (const { id, href, title, isDestructive, summarize, getLine } of arranged) {
      const summary = state ? summarize(state) : ofStoredUsers.has(id) ? null : { text: '' }
      if (summary === null) continue
      const line = `${id}/summary`
      collector.add(id, title)
      if (summary.text !== '') collector.add(line, getLine(summary.text))
      sections.push({
        id,
        href: href(context),
        isDestructive,
        isWarning: summary.isWarning ?? false,
        summary: summary.text === '' ? null : { text: line, values: summary.values ?? {} }
      })
    }
    const person = state?.user ?? principal
    const signOutUrl = `${request.basePath}/signout`
    const { siteName, siteUrl } = request
    const props: AccountProps = {
      name: person.name ?? null,
      email: person.email ?? null,
      sections,
      ...waiting,
      siteName,
      siteUrl,
      signOutUrl
    }
    return request.screen('account', props, { texts: collector.texts })
  }
}
