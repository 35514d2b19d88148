using Spectre.Console;

namespace Ripple.Cli.Output;

/// <summary>
/// Shows lines that change: in place on a terminal; elsewhere the first of them as a plain line, each time it differs; with JSON nothing.
/// </summary>
internal static class LiveView
{
    /// <summary>Shows while the work goes on; what was shown in place is gone afterwards.</summary>
    public static async Task<T> RunAsync<T>(CliContext context, Func<Action<IReadOnlyList<string>>, Task<T>> work)
    {
        if (!context.IsLive)
        {
            string? last = null;
            return await work(lines =>
            {
                if (!context.IsJson && lines[0] != last)
                {
                    last = lines[0];
                    context.Line(last);
                }
            }).ConfigureAwait(false);
        }

        T result = default!;
        await context.Console.Ansi!.Live(Text.Empty).AutoClear(true).StartAsync(async live => result = await work(lines =>
        {
            live.UpdateTarget(new Rows(lines.Select(l => new Text(SafeText.Line(l)))));
            live.Refresh();
        }).ConfigureAwait(false)).ConfigureAwait(false);
        return result;
    }

    /// <summary>A bar that fills, where things can move; else nothing.</summary>
    public static string Bar(CliContext context, int done, int total)
    {
        const int Width = 30;
        if (!context.IsLive)
        {
            return string.Empty;
        }

        int full = total <= 0 ? Width : (int)((long)Width * done / total);
        (char on, char off) = context.Console.Ansi!.Profile.Capabilities.Unicode ? ('█', '░') : ('#', '-');
        return $"{new string(on, full)}{new string(off, Width - full)} ";
    }
}
