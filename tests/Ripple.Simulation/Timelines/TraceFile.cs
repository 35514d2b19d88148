namespace Ripple.Simulation.Timelines;

/// <summary>Where a timeline goes: a page where the name says so, otherwise lines of JSON, and a page beside.</summary>
internal static class TraceFile
{
    private const string PageExtension = ".html";

    /// <summary>Writes the files; returns their names.</summary>
    public static IReadOnlyList<string> Write(string path, Timeline timeline)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(timeline);
        bool isPage = path.EndsWith(PageExtension, StringComparison.OrdinalIgnoreCase);
        string page = isPage ? path : path + PageExtension;
        File.WriteAllText(page, TimelinePage.Of(timeline));
        if (isPage)
        {
            return [page];
        }

        File.WriteAllLines(path, timeline.ToLines());
        return [path, page];
    }
}
