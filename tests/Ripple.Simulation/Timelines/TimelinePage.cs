using System.Reflection;

namespace Ripple.Simulation.Timelines;

/// <summary>A page that draws a timeline. It contains all it needs, and asks no network.</summary>
internal static class TimelinePage
{
    private const string Resource = "Timeline.html";
    private const string DataMark = "/*DATA*/";

    /// <summary>The page of a timeline.</summary>
    public static string Of(Timeline timeline)
    {
        ArgumentNullException.ThrowIfNull(timeline);
        using Stream stream = Assembly.GetExecutingAssembly().GetManifestResourceStream(Resource)!;
        using var reader = new StreamReader(stream);
        string page = reader.ReadToEnd();
        int at = page.IndexOf(DataMark, StringComparison.Ordinal);
        return string.Concat(page.AsSpan(0, at), timeline.ToJson(), page.AsSpan(at + DataMark.Length));
    }
}
