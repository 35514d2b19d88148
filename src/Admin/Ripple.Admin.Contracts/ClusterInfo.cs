namespace Ripple.Admin.Contracts;

/// <summary>The cluster, as one host sees it.</summary>
/// <param name="ClusterId">Its id.</param>
/// <param name="Host">The name of the host that answered.</param>
/// <param name="Version">The version of that host.</param>
/// <param name="ApplicationCount">The number of applications the caller may read.</param>
public sealed record ClusterInfo(string ClusterId, string Host, string Version, int ApplicationCount);
