using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Web;

/// <summary>The answer of the health endpoint: a line for the whole, and one for each check with what it knows.</summary>
public static class HealthText
{
    public static Task WriteAsync(HttpContext context, HealthReport report)
    {
        context.Response.ContentType = "text/plain";
        IEnumerable<string> checks = report.Entries.Select(
            e => $"{e.Key}: {e.Value.Status} {string.Join(' ', e.Value.Data.Select(d => $"{d.Key}={d.Value}"))}");
        return context.Response.WriteAsync(string.Join('\n', checks.Prepend(report.Status.ToString())));
    }
}
