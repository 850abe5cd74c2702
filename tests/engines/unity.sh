#!/usr/bin/env bash
# Compiles docs/engines/importers/ThalwegTerrain.cs with Mono against stand-ins for Unity's classes.
set -euo pipefail
importer=$(realpath "$(dirname "$0")/../../docs/engines/importers/ThalwegTerrain.cs")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/stand_ins.cs" <<'CS'
namespace UnityEngine
{
    public class Object {}
    public struct Vector3 { public Vector3(float x, float y, float z) {} }
    public class Transform { public Vector3 position { get; set; } }
    public class GameObject : Object { public Transform transform { get { return null; } } }
    public class TerrainData : Object
    {
        public int heightmapResolution { get; set; }
        public Vector3 size { get; set; }
        public void SetHeights(int x, int y, float[,] heights) {}
    }
    public class Terrain { public static GameObject CreateTerrainGameObject(TerrainData data) { return null; } }
    public static class JsonUtility { public static T FromJson<T>(string json) { return default(T); } }
}
namespace UnityEditor
{
    public class MenuItem : System.Attribute { public MenuItem(string name) {} }
    public static class EditorUtility { public static string OpenFilePanel(string a, string b, string c) { return null; } }
    public static class AssetDatabase
    {
        public static void CreateAsset(UnityEngine.Object asset, string path) {}
        public static string GenerateUniqueAssetPath(string path) { return path; }
    }
}
CS
mcs -warnaserror -nowarn:0649 -target:library -out:"$folder/out.dll" "$importer" "$folder/stand_ins.cs"
