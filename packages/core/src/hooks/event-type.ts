/** Who caused an event: the user, the application through `app.postern`, or Postern itself. */
export type EventActor = 'user' | 'administrator' | 'system'

/** A type of security event. */
export interface EventType {
  readonly actor: EventActor
  /** @defaultValue `'success'` */
  readonly outcome?: 'success' | 'refused' | undefined
  /** What happened, as a sentence in English: for the documentation. */
  readonly text: string
  /** A key of the feature's texts: what the user reads on the account page. @defaultValue the name of the type */
  readonly title?: string | undefined
}

/** Types of security events, by their names. */
export type EventTypes = Readonly<Record<string, EventType>>
