import { named } from '../core/model/shapes/named.ts';
import { browserPorts } from '../core/ports.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { labelOf, optionalTextOf } from './input.ts';
import { mark } from './trust/mark.ts';

/** Options of `clockTool`. */
export interface ClockToolOptions {
  /** ms since the epoch. Default: the browser's clock. */
  readonly now?: () => number;
  /** IANA name of the time zone for a call that names none. Default: the browser's time zone. */
  readonly timeZone?: string;
}

/** A tool that returns the current date and time, in any time zone. */
export function clockTool(options: ClockToolOptions = {}): Tool {
  const { now = browserPorts.now, timeZone } = named(options, { now: true, timeZone: true }, 'clockTool');
  const tool = defineTool({
    name: 'current_time',
    description: 'Returns the current date and time, in the person’s time zone or in one that you name.',
    input: {
      type: 'object',
      properties: {
        timeZone: { type: 'string', maxLength: 64, description: 'IANA name, e.g. Asia/Tokyo. Default: the person’s.' },
      },
      additionalProperties: false,
    },
    execute: (input) => toLocalTime(now(), optionalTextOf(input, 'timeZone') ?? timeZone),
    present: (_input, output) => {
      const [weekday, date, time, zone] = ['weekday', 'date', 'time', 'timeZone'].map((key) => labelOf(output, key));
      return { summary: `${weekday}, ${date} ${time} (${zone})` };
    },
  });
  return mark(tool, { trusted: true, harmless: true });
}

/** A point in time in one time zone. */
interface LocalTime {
  /** YYYY-MM-DD */
  readonly date: string;
  /** hh:mm:ss, 24 hours */
  readonly time: string;
  readonly weekday: string;
  readonly timeZone: string;
  /** Offset from UTC: ±hh:mm */
  readonly offset: string;
  /** ISO 8601 */
  readonly utc: string;
}

function toLocalTime(now: number, timeZone: string | undefined): LocalTime {
  const format = formatFor(timeZone);
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    weekday: part('weekday'),
    timeZone: format.resolvedOptions().timeZone,
    // "GMT+09:00", or "GMT" alone for UTC.
    offset: part('timeZoneName').slice('GMT'.length) || '+00:00',
    utc: new Date(now).toISOString(),
  };
}

function formatFor(timeZone: string | undefined): Intl.DateTimeFormat {
  const digits = '2-digit';
  try {
    return new Intl.DateTimeFormat('en-GB', {
      ...(timeZone !== undefined && { timeZone }),
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
      weekday: 'long',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
  } catch {
    throw new Error(`There is no time zone ${JSON.stringify(timeZone)}. Give an IANA name, such as Asia/Tokyo.`);
  }
}
