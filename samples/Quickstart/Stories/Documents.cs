using System.Globalization;
using System.Text;

namespace Quickstart.Stories;

/// <summary>The configuration of a made-up shop.</summary>
internal static class Documents
{
    public const string Limits = "limits.json";
    public const string Features = "features.json";
    private const int ProductCount = 600;

    /// <summary>Everything: about 50 KB in four keys.</summary>
    public static IReadOnlyDictionary<string, ReadOnlyMemory<byte>> All() => new Dictionary<string, string>
    {
        ["catalog.json"] = Catalog(),
        [Features] = FeaturesWith(isNewCheckout: false),
        [Limits] = LimitsOf(200),
        ["welcome.txt"] = "Welcome to the shop.\n",
    }.ToDictionary(d => d.Key, d => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(d.Value));

    public static string FeaturesWith(bool isNewCheckout) => $$"""
        {
          // One line of this changes in the small edit.
          "newCheckout": {{(isNewCheckout ? "true" : "false")}},
          "giftCards": true
        }
        """;

    public static string LimitsOf(int maxConnections) => $$"""
        {
          "maxConnections": {{maxConnections.ToString(CultureInfo.InvariantCulture)}},
          "timeoutSeconds": 30
        }
        """;

    private static string Catalog()
    {
        IEnumerable<string> products = Enumerable.Range(1, ProductCount).Select(i => string.Create(
            CultureInfo.InvariantCulture,
            $$"""    { "sku": "P{{i:0000}}", "name": "Product {{i}}", "price": {{i * 37 % 10_000 / 100m}}, "stock": {{i * 7 % 50}} }"""));
        return $"{{\n  \"products\": [\n{string.Join(",\n", products)}\n  ]\n}}\n";
    }
}
