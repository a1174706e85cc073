import { findViolation } from './ghost.ts'
import { kill, stepsOf } from './protocol.ts'
import { allRules, type Setting } from './rules.ts'
import type { Step } from './steps.ts'
import type { World } from './world.ts'

/** What is wrong, and the steps that lead there. */
export interface Violation {
  readonly reason: string
  readonly trace: readonly string[]
}

export interface Exploration {
  readonly states: number
  readonly violation: Violation | null
}

interface Node {
  readonly world: World
  readonly label: string
  readonly parent: Node | null
}

interface Next {
  readonly steps: readonly Step[]
  readonly kills: readonly Step[]
}

/** All that can happen next: a step of each process, or a kill. */
function nextSteps(world: World, setting: Setting): Next {
  const label = (name: string, operation: string, what: string) => `${name} (${operation}) ${what}`
  const steps = world.processes.flatMap((process) =>
    stepsOf(world, process, setting).map((step) => ({
      label: label(process.name, process.operation, step.label),
      world: step.world
    }))
  )
  const kills = world.processes
    .filter(({ at }) => at !== 'start' && at !== 'done')
    .map((process) => ({ label: label(process.name, process.operation, 'is killed'), world: kill(world, process) }))
  return { steps, kills }
}

/**
 * Returns a function that gives equal worlds the same key, and different worlds different ones. Equal parts of worlds have
 * one number, as most steps leave most parts as they are.
 */
function createKeys(): (world: World) => string {
  const numbers = new WeakMap<object, number>()
  const known = new Map<string, number>()
  const numberOf = (part: object): number => {
    const number = numbers.get(part)
    if (number !== undefined) return number
    const text = JSON.stringify(part)
    const found = known.get(text) ?? known.size
    known.set(text, found)
    numbers.set(part, found)
    return found
  }
  return ({ clock, rows, users, sessions, tokens, locks, processes, barred, violation }) => {
    const lists = [sessions, tokens, locks, processes].map((list) => list.map(numberOf).join())
    return [clock, numberOf(rows), numberOf(users), numberOf(barred), violation, ...lists].join(';')
  }
}

/** Says what is wrong with a state, which is stuck if no process has a step. */
function judge(world: World, isStuck: boolean): string | null {
  const isWaiting = isStuck && world.processes.some(({ at }) => at !== 'done')
  return world.violation ?? findViolation(world) ?? (isWaiting ? 'the processes wait for each other' : null)
}

function traceOf(node: Node | null): readonly string[] {
  return node?.parent ? [...traceOf(node.parent), node.label] : []
}

/**
 * Goes through every order of the steps of all processes, breadth first, and each state once.
 *
 * @returns The first violation, which no shorter interleaving has.
 */
export function explore(start: World, setting: Setting): Exploration {
  const queue: Node[] = [{ world: start, label: '', parent: null }]
  const keyOf = createKeys()
  const seen = new Set([keyOf(start)])
  for (const node of queue) {
    const { steps, kills } = nextSteps(node.world, setting)
    const reason = judge(node.world, steps.length === 0)
    if (reason) return { states: seen.size, violation: { reason, trace: traceOf(node) } }
    for (const { label, world } of [...steps, ...kills]) {
      const key = keyOf(world)
      if (seen.has(key)) continue
      seen.add(key)
      queue.push({ world, label, parent: node })
    }
  }
  return { states: seen.size, violation: null }
}

/** Chooses one of so many. */
export type Choose = (count: number) => number

/**
 * Goes through one order of the steps, until no process has one.
 *
 * @param killsOneIn How many steps there are for one kill.
 */
export function walk(start: World, setting: Setting, choose: Choose, killsOneIn: number = 30): Exploration {
  let node: Node = { world: start, label: '', parent: null }
  for (let states = 1; ; states++) {
    const { steps, kills } = nextSteps(node.world, setting)
    const reason = judge(node.world, steps.length === 0)
    if (reason) return { states, violation: { reason, trace: traceOf(node) } }
    const options = kills.length > 0 && choose(killsOneIn) === 0 ? kills : steps
    const next = options[choose(options.length)]
    if (!next) return { states, violation: null }
    node = { ...next, parent: node }
  }
}

/**
 * Performs each operation after the one before it, without a fault: the first step of each of its points.
 *
 * @returns The world after them, whose processes say whether each was done.
 */
export function perform(start: World): World {
  return start.processes.reduce((world, { name }) => {
    for (let at = world; ; ) {
      const process = at.processes.find((each) => each.name === name)
      const [step] = process ? stepsOf(at, process, allRules) : []
      if (!step) return at
      at = step.world
    }
  }, start)
}
