import {
  type ActionResult,
  type EventRecord,
  type FeatureContext,
  type FeatureRequest,
  type FeatureScreen,
  type FeatureTexts,
  getBrowserName,
  getText,
  parseEventCursor,
  toEventCursor
} from '@postern/core/feature'
import { hideActor } from '../../hide-actor.ts'
import { toLinks } from '../../plain-screen.ts'
import { bindRoutes } from '../../routes.ts'
import { getFrame } from '../frame.ts'
import { pickText, TextCollector } from '../pick-text.ts'
import { collectProviderNames, getProviderKey } from '../provider-names.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import type { Activity, ActivityProps } from './props.ts'

const path = '/account/activity'

/** The events of one page. */
const pageSize = 25

const screen: FeatureScreen<ActivityProps, TextKey> = {
  name: 'activity',
  title: 'activity',
  width: 'wide',
  component: async () => (await import('./activity-screen.tsx')).ActivityScreen,
  plain: ({ events, olderUrl, accountUrl }, texts) => ({
    text: [texts.activityText, ...events.map(({ type, time }) => `${type} ${time}`)].join(' · '),
    links: toLinks([texts.older, olderUrl], [texts.back, accountUrl])
  })
}

/** The titles of events whose features state them, and the names of the providers. */
function getTexts(events: readonly EventRecord[], context: FeatureContext): FeatureTexts {
  const { eventTypes } = context
  const collector = new TextCollector()
  for (const type of new Set(events.map((event) => event.type))) {
    const declared = Object.hasOwn(eventTypes, type) ? eventTypes[type] : null
    if (declared?.title !== undefined) collector.add(`event-${type}`, pickText(declared.texts, declared.title))
  }
  const ids = events.map(({ provider }) => provider)
  return collectProviderNames(ids, context, collector)
}

async function showActivity(request: FeatureRequest, { context }: AccountSetup): Promise<ActionResult> {
  const { userId } = await request.requireUser()
  const before = parseEventCursor(getText(request.query, 'before') ?? '')
  const found = await context.events.list({ userId, limit: pageSize + 1, ...(before && { before }) })
  const events = found.slice(0, pageSize)
  const last = found.length > pageSize ? events.at(-1) : undefined
  const own = `${request.basePath}${path}`
  const toActivity = ({ id, type, time, ip, userAgent, ...event }: EventRecord): Activity => {
    const provider = context.providers.find((known) => known.id === event.provider)
    return {
      id,
      type,
      time: time.toISOString(),
      address: ip,
      device: getBrowserName(userAgent),
      provider: provider?.name ?? null,
      providerText: provider ? getProviderKey(provider.id) : null
    }
  }
  const props: ActivityProps = {
    ...getFrame(request, context),
    events: events.map(hideActor).map(toActivity),
    olderUrl: last ? `${own}?${new URLSearchParams({ before: toEventCursor(last) })}` : null,
    newestUrl: before ? own : null
  }
  return request.screen('activity', props, { texts: getTexts(events, context) })
}

/** The section with the security events of the user. */
export function createActivitySection(setup: AccountSetup): SectionParts {
  return {
    section: {
      id: 'activity',
      order: 700,
      title: 'activity',
      path,
      summary: () => ({ text: 'activitySummary' })
    },
    screens: [screen],
    routes: [bindRoutes(setup).get(path, showActivity)]
  }
}
