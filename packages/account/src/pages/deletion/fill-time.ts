import type { PendingDeletion } from './props.ts'

/** Fills in the time of a deletion, for screens without a renderer. */
export const fillTime = (text: string, { deleteAt }: Pick<PendingDeletion, 'deleteAt'>): string =>
  text.replace('{time}', deleteAt.replace('T', ' ').replace(/\..*/, ' UTC'))
