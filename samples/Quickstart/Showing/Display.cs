using Spectre.Console;

namespace Quickstart.Showing;

/// <summary>Where progress is shown: a live table on a terminal, plain lines elsewhere.</summary>
internal abstract class Display
{
    /// <summary>Runs with the display that fits the output.</summary>
    public static Task RunAsync(Func<Display, Task> story)
    {
        Capabilities capabilities = AnsiConsole.Profile.Capabilities;
        bool isLive = capabilities.Interactive && capabilities.Ansi && !Console.IsOutputRedirected;
        return isLive ? LiveDisplay.RunLiveAsync(story) : story(new PlainDisplay());
    }

    /// <summary>Says something once.</summary>
    public abstract void Say(string text);

    /// <summary>Shows how far a release is.</summary>
    /// <param name="row">The row; replaces the one of the same release.</param>
    /// <param name="isFinal">True when it will not change any more.</param>
    public abstract void Show(ReleaseRow row, bool isFinal);
}
