import { markFiles } from './generated/index.ts'

/** Whether the built-in screens have a logo for a provider. Without one, its button shows a letter. */
export function hasLogo(id: string): boolean {
  return Object.hasOwn(markFiles, id)
}
