using System.Text;
using Ripple.Engine.Protocol.Joining;
using Ripple.Trust;

namespace Ripple.Client.Snapshots;

/// <summary>
/// Where the hosts of the cluster were when a host last told it, beside the snapshots: an endpoint a line. It proves nothing: who is asked
/// there must show a certificate of the authority of the connection string.
/// </summary>
internal static class HostsFile
{
    private const string Name = "hosts";
    private const long BytesMax = ClusterHosts.EndpointsMax * (ClusterHosts.EndpointBytesMax + 2);

    /// <summary>Writes the endpoints. A failure is ignored: the file then keeps those that were told before.</summary>
    public static void Write(ISnapshotFiles files, string directory, IReadOnlyList<HostEndpoint> endpoints)
    {
        try
        {
            string path = Path.Combine(directory, Name);
            files.WriteText(path + ".new", string.Concat(endpoints.Select(e => $"{e}\n")));
            files.Move(path + ".new", path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // If the disk failed, writing the snapshot itself reports it.
        }
    }

    /// <summary>Reads the endpoints; none if the file is missing or malformed.</summary>
    public static IReadOnlyList<HostEndpoint> Read(ISnapshotFiles files, string directory)
    {
        try
        {
            using Stream file = files.OpenRead(Path.Combine(directory, Name));
            if (file.Length > BytesMax)
            {
                return [];
            }

            using var text = new StreamReader(file, Encoding.UTF8);
            return Parse(text.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>The endpoints that a host told; none if one is malformed or there are too many.</summary>
    public static IReadOnlyList<HostEndpoint> Parse(IReadOnlyList<string> texts)
    {
        var endpoints = new List<HostEndpoint>();
        foreach (string text in texts)
        {
            if (endpoints.Count == ClusterHosts.EndpointsMax || !HostEndpoint.TryParse(text, out HostEndpoint endpoint, out _))
            {
                return [];
            }

            endpoints.Add(endpoint);
        }

        return endpoints;
    }
}
