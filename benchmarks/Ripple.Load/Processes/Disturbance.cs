using System.Globalization;

namespace Ripple.Load.Processes;

/// <summary>
/// Other processes that keep every core busy for a while: one a core, started beforehand, so that their start is no part of it.
/// </summary>
internal sealed class Disturbance : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);
    private readonly List<Child> _children = [];

    /// <summary>Starts them; they wait.</summary>
    public static async Task<Disturbance> PrepareAsync()
    {
        var disturbance = new Disturbance();
        for (int i = 0; i < Environment.ProcessorCount; i++)
        {
            disturbance._children.Add(Child.Start(Roles.Spin, i.ToString(CultureInfo.InvariantCulture)));
        }

        foreach (Child child in disturbance._children)
        {
            await child.ExpectAsync("ready", StartTimeout);
        }

        return disturbance;
    }

    /// <summary>Keeps every core busy: from when until when, on the clock that all processes share.</summary>
    public async Task<(long Begin, long End)> RunAsync(int seconds)
    {
        foreach (Child child in _children)
        {
            await child.SendAsync(seconds.ToString(CultureInfo.InvariantCulture));
        }

        (long begin, long end) = (long.MaxValue, 0);
        foreach (Child child in _children)
        {
            string[] words = await child.ExpectAsync("spun", StartTimeout + TimeSpan.FromSeconds(seconds));
            begin = Math.Min(begin, long.Parse(words[1], CultureInfo.InvariantCulture));
            end = Math.Max(end, long.Parse(words[2], CultureInfo.InvariantCulture));
        }

        return (begin, end);
    }

    public async ValueTask DisposeAsync() => await Task.WhenAll(_children.Select(c => c.DisposeAsync().AsTask()));
}
