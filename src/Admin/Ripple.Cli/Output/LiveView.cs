using Ripple.Trust;
using Spectre.Console;

namespace Ripple.Cli.Output;

/// <summary>
/// Shows changing lines: in place on a terminal; otherwise only the first line, as a plain line whenever it changes; with JSON not at all.
/// </summary>
internal static class LiveView
{
    /// <summary>Shows lines while the work runs; lines shown in place are cleared afterward.</summary>
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
            live.UpdateTarget(new Rows(lines.Select(l => new Text(ShownText.Line(l)))));
            live.Refresh();
        }).ConfigureAwait(false)).ConfigureAwait(false);
        return result;
    }

    /// <summary>A progress bar if lines are shown in place; otherwise empty.</summary>
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

/// <summary>Reports synchronously on the reporting thread, so that lines keep their order.</summary>
internal sealed class DirectProgress<T>(Action<T> tell) : IProgress<T>
{
    public void Report(T value) => tell(value);
}
