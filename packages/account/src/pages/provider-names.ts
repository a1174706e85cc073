import type { FeatureContext, FeatureTexts } from '@postern/core/feature'
import { TextCollector } from './pick-text.ts'

/** The key of the name of a provider in the texts of a screen. */
export const getProviderKey = (id: string): string => `provider-${id}`

/** @returns The names of these providers, for a screen; `null` is none. */
export function collectProviderNames(
  ids: readonly (string | null)[],
  { providers }: FeatureContext,
  collector: TextCollector = new TextCollector()
): FeatureTexts {
  for (const { id, names } of providers) if (ids.includes(id)) collector.add(getProviderKey(id), names)
  return collector.texts
}

interface NamedProvider {
  /** In English. */
  readonly name: string | null
  /** Its key in the texts. */
  readonly key: string | null
}

/** @returns The name of a provider in the language of the page. */
export function getProviderName({ name, key }: NamedProvider, texts: Readonly<Record<string, string>>): string | null {
  return (key === null ? null : texts[key]) ?? name
}
