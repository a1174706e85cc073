import type { TextKey } from './texts.ts'

/** Whether a field has the focus when the page is shown: if it is wrong, or nothing is. Other problems are read first. */
export function canFocus(problem: TextKey | null, own: TextKey): boolean {
  return problem === null || problem === own
}
