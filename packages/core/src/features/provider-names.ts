import { createByLanguage } from '../model/by-language.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import type { FeatureRegistry } from './registry.ts'

/** @returns The name of a provider by language: that of a feature's sign-in method is translated, any other is the same in all. */
export function getProviderNames(
  { id, name }: { readonly id: string; readonly name: string },
  { signInMethods }: Pick<FeatureRegistry, 'signInMethods'>
): ByLanguage<string> {
  const texts = signInMethods.get(id)?.texts
  if (!texts) return { en: name }
  return createByLanguage(Object.keys(texts), (language) => (texts[language] ?? texts.en).name)
}
